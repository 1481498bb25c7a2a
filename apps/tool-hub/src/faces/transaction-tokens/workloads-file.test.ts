import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';
import { readTransactionTokensFile } from './workloads-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'transaction-tokens-'));
afterAll(() => rmSync(directory, { recursive: true }));

const OPERATION = { name: 'sites:list', subject_scope: 'mcp:tools:call', details: ['limit'] };
const SERVICE = { audience: 'https://api.example', operations: [OPERATION] };
const SUBJECT = { issuer: 'https://tools.example/oauth/token', audience: 'https://tools.example' };
const SECRET = 'the-secret-of-the-tools';
const WORKLOAD = { client_id: 'tools', secrets: [SECRET], subject_issuer: SUBJECT, services: [SERVICE] };

function read(document: unknown, production = false) {
  const path = join(directory, 'file.json');
  writeFileSync(path, JSON.stringify(document));
  return readTransactionTokensFile(path, { env: {}, production });
}
const withOperation = (operation: object) => ({
  workloads: [{ ...WORKLOAD, services: [{ ...SERVICE, operations: [{ ...OPERATION, ...operation }] }] }],
});

it('gives tokens a lifetime of one minute by default', () => {
  expect(read({ workloads: [WORKLOAD] })).toMatchObject([{ lifetime_seconds: 60, context: [] }]);
});

it('is read in production unless it is marked as a development file', () => {
  expect(read({ workloads: [WORKLOAD] }, true)).toHaveLength(1);
  expect(read({ workloads: [WORKLOAD], development: false }, true)).toHaveLength(1);
  expect(() => read({ workloads: [WORKLOAD], development: true }, true)).toThrow('refused in production');
  expect(read({ workloads: [WORKLOAD], development: true })).toHaveLength(1);
});

it('is refused in production with a development secret, which is not shown', () => {
  const workloads = [{ ...WORKLOAD, secrets: ['tools-at-hub-dev-secret'] }];
  expect(read({ workloads })).toHaveLength(1);
  expect(() => read({ workloads }, true)).toThrow('client tools: a secret is a development secret');
  expect(() => read({ workloads }, true)).not.toThrow('tools-at-hub-dev-secret');
});

it('the development file of the repository is read, and is refused in production', () => {
  const path = fileURLToPath(
    new URL('../../../../../infra/development/transaction-tokens.json', import.meta.url),
  );
  expect(readTransactionTokensFile(path, { env: {}, production: false })).toHaveLength(1);
  expect(() => readTransactionTokensFile(path, { env: {}, production: true })).toThrow(
    'refused in production',
  );
});

it.each([
  ['a workload twice', { workloads: [WORKLOAD, WORKLOAD] }],
  ['a workload that cannot authenticate', { workloads: [{ ...WORKLOAD, secrets: [] }] }],
  [
    'a workload without an issuer of subject tokens',
    { workloads: [{ ...WORKLOAD, subject_issuer: undefined }] },
  ],
  ['a service twice', { workloads: [{ ...WORKLOAD, services: [SERVICE, SERVICE] }] }],
  [
    'an operation twice',
    { workloads: [{ ...WORKLOAD, services: [{ ...SERVICE, operations: [OPERATION, OPERATION] }] }] },
  ],
  ['an operation that no scope covers', withOperation({ subject_scope: undefined })],
  ['two operations in one', withOperation({ name: 'sites:list sites:get' })],
  ['a detail that is ours to say', withOperation({ details: ['organization_id'] })],
  ['a role that a workload might choose', withOperation({ details: ['roles'] })],
  ['the prototype as a detail', withOperation({ details: ['__proto__'] })],
  ['a context that is ours to say', { workloads: [{ ...WORKLOAD, context: ['client_id'] }] }],
  ['a lifetime of 4 s', { workloads: [{ ...WORKLOAD, lifetime_seconds: 4 }] }],
  ['a lifetime of 301 s', { workloads: [{ ...WORKLOAD, lifetime_seconds: 301 }] }],
  ['a misspelt member', { workloads: [{ ...WORKLOAD, service: [] }] }],
])('rejects %s, without revealing a secret', (_case, document) => {
  let message = '';
  try {
    read(document);
  } catch (err) {
    message = String(err);
  }
  expect(message).toContain('workloads');
  expect(message).not.toContain(SECRET);
});
