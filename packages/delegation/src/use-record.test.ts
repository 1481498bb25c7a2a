import { beforeEach, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId } from '@legate/ids';
import {
  type Backend,
  createMemoryBackend,
  createSecureStore,
  generateEncryptionKeys,
} from '@legate/secure-store';
import { createTestClock } from '@legate/service/testing';
import type { Connector } from './domain/connector.ts';
import { createUseRecords, type UseRecord } from './use-record.ts';

const TOOLS: Connector = {
  id: ConnectorId.parse('con_tools'),
  organizationId: OrganizationId.parse('org_acme'),
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [{ method: 'passthrough' }],
  scopes: [],
};
const approved = (fallbackApproval: string): Connector => ({ ...TOOLS, fallbackApproval });

let backend: Backend;
let lifetimes: number[];
let record: UseRecord;
let consent: UseRecord;
const recordsOn = (on: Backend) =>
  createUseRecords({ store: createSecureStore({ backend: on, keys: generateEncryptionKeys() }) });
const recordOn = (on: Backend) => recordsOn(on)('id-jag');

beforeEach(() => {
  const memory = createMemoryBackend({ clock: createTestClock() });
  lifetimes = [];
  backend = {
    ...memory,
    async set(key, value, ttlSeconds) {
      lifetimes.push(ttlSeconds);
      await memory.set(key, value, ttlSeconds);
    },
  };
  const records = recordsOn(backend);
  record = records('id-jag');
  consent = records('oauth-pkce');
});

it('blocks the fallback for ten years after ID-JAGs have worked', async () => {
  expect(await record.blocksFallback(TOOLS)).toBe(false);
  await record.write(TOOLS);
  expect(await record.blocksFallback(TOOLS)).toBe(true);
  expect(lifetimes).toEqual([315_360_000]);
});

it('blocks the fallback if the connector reports that ID-JAGs have worked', async () => {
  expect(await record.blocksFallback({ ...TOOLS, usedMethods: ['id-jag'] })).toBe(true);
});

it('blocks the fallback for the resource in its organization, whatever the id of the connector', async () => {
  await record.write(TOOLS);
  expect(await record.blocksFallback({ ...TOOLS, id: ConnectorId.parse('con_new') })).toBe(true);
  expect(await record.blocksFallback({ ...TOOLS, organizationId: OrganizationId.parse('org_globex') })).toBe(
    false,
  );
  expect(await record.blocksFallback({ ...TOOLS, resource: 'https://other.example' })).toBe(false);
});

it('allows the fallback after an approval, until ID-JAGs work again', async () => {
  await record.write(TOOLS);
  expect(await record.blocksFallback(approved('first'))).toBe(false);
  await record.write(approved('first'));
  expect(await record.blocksFallback(approved('first'))).toBe(true);
  expect(await record.blocksFallback(approved('second'))).toBe(false);
});

it('treats an unreadable record as older than any approval', async () => {
  await record.write(TOOLS);
  const withOtherKeys = recordOn(backend);
  expect(await withOtherKeys.blocksFallback(TOOLS)).toBe(true);
  expect(await withOtherKeys.blocksFallback(approved('first'))).toBe(false);
});

it('throws while the store cannot be reached', async () => {
  const down = { ...backend, getMany: () => Promise.reject(new Error('connection refused')) };
  await expect(recordOn(down).blocksFallback(TOOLS)).rejects.toThrow('connection refused');
});

it('separates ID-JAGs from consent', async () => {
  await consent.write(TOOLS);
  expect([await record.blocksFallback(TOOLS), await consent.blocksFallback(TOOLS)]).toEqual([false, true]);
  expect(await consent.blocksFallback({ ...TOOLS, resource: 'https://other.example' })).toBe(false);
  const other = { ...TOOLS, resource: 'https://other.example', usedMethods: ['oauth-pkce'] };
  expect([await record.blocksFallback(other), await consent.blocksFallback(other)]).toEqual([false, true]);
});
