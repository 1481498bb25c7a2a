import { beforeEach, expect, it, jest } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { DatabaseUnavailable } from '@legate/postgres';
import { ApiKeyId, ServiceAccountId } from '../../domain/ids.ts';
import type { KeyStanding, MachineStore } from '../standing/machine-store.ts';
import { createKeyStandings } from './key-standings.ts';

const ACME = OrganizationId.parse('org_acme');
const HASH = Buffer.from('the hash of a key');
const PLACE = { organizationId: ACME, keyId: ApiKeyId.parse('key_1') };
const STANDING: KeyStanding = {
  organization: {
    id: ACME,
    name: 'Acme',
    plan: { name: 'free', requestsPerMinute: null },
    status: 'active',
    defaultRole: null,
    roleSource: 'local',
  } as KeyStanding['organization'],
  account: { id: ServiceAccountId.parse('sva_1'), name: 'CI', role: 'viewer', status: 'active' },
  key: {
    id: PLACE.keyId,
    name: 'Actions',
    scopes: ['sites:read'],
    allowedIps: [],
    expiresAt: new Date(9e12),
    lastUsedAt: null,
  },
};

let nowMs: number;
let findPlace: jest.MockedFunction<MachineStore['findPlace']>;
let findKey: jest.MockedFunction<MachineStore['findKey']>;
let keys: ReturnType<typeof createKeyStandings>;
beforeEach(() => {
  nowMs = 1_790_000_000_000;
  findPlace = jest.fn(async () => PLACE);
  findKey = jest.fn(async () => STANDING);
  keys = createKeyStandings({ store: { findPlace, findKey }, clock: () => new Date(nowMs) });
});
const calls = () => [findPlace.mock.calls.length, findKey.mock.calls.length];

it('queries once a second once the organization of a key is known', async () => {
  for (let i = 0; i < 30; i++) {
    expect(await keys.find(HASH)).toBe(STANDING);
    nowMs += 100;
  }
  expect(calls()).toEqual([1, 3]);
  expect(keys.isKnown(HASH)).toBe(true);
});

it('looks up an unknown key each time', async () => {
  findPlace.mockResolvedValue(undefined);
  expect([await keys.find(HASH), await keys.find(HASH)]).toEqual([undefined, undefined]);
  expect(calls()).toEqual([2, 0]);
  expect(keys.isKnown(HASH)).toBe(false);
});

it('queries again after a change in the organization of the key', async () => {
  await keys.find(HASH);
  findKey.mockResolvedValue(undefined);
  keys.forget(OrganizationId.parse('org_other'));
  expect(await keys.find(HASH)).toBe(STANDING);
  keys.forget(ACME);
  expect(await keys.find(HASH)).toBeUndefined();
});

it('uses the last known data for ten minutes while the database is down', async () => {
  await keys.find(HASH);
  findKey.mockRejectedValue(new DatabaseUnavailable('down'));
  nowMs += 599_000;
  expect(await keys.find(HASH)).toBe(STANDING);
  nowMs += 2000;
  await expect(keys.find(HASH)).rejects.toThrow(DatabaseUnavailable);
});
