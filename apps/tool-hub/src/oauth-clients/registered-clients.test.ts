import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { createTestClock } from '@legate/service/testing';
import { createAssertionVerifiers } from './client-assertions.ts';
import { readClientsFile, registeredClients } from './registered-clients.ts';

const directory = mkdtempSync(join(tmpdir(), 'legate-clients-'));
afterAll(() => rmSync(directory, { recursive: true }));

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const CLIENT = {
  client_id: 'desk',
  name: 'Desk',
  redirect_uris: ['https://desk.example/'],
  secret_hashes: [HASH],
};

function read(content: unknown, options: { production?: boolean } = {}) {
  const path = join(directory, 'clients.json');
  writeFileSync(path, JSON.stringify(content));
  return readClientsFile(path, {
    env: {},
    production: false,
    nativePrefixes: ['cursor://anysphere.cursor-mcp/oauth/'],
    ...options,
  });
}

it('lists confidential and public clients, of all organizations or of one', () => {
  const entries = read({
    clients: [
      CLIENT,
      {
        client_id: 'cli',
        name: 'Terminal',
        redirect_uris: ['http://127.0.0.1'],
        public: true,
        organization_id: 'org_acme',
      },
    ],
  });
  const clock = createTestClock();
  const clients = registeredClients(
    entries,
    createAssertionVerifiers({ issuer: 'https://hub.example', clock }),
  );
  expect(clients.get('desk')).toMatchObject({
    isPublic: false,
    name: 'Desk',
    vouchedBy: { kind: 'operator' },
  });
  expect(clients.get('desk')?.secretHashes).toHaveLength(1);
  expect(clients.get('cli')).toMatchObject({
    isPublic: true,
    organizationId: 'org_acme',
    redirectUris: ['http://127.0.0.1/'],
  });
});

it.each<[string, object]>([
  ['a client without a way to authenticate', { ...CLIENT, secret_hashes: undefined }],
  ['a public client with a secret', { ...CLIENT, public: true }],
  ['a client twice', CLIENT],
  ['an agent of no organization', { ...CLIENT, client_id: 'a', agent_id: 'agt_1' }],
  ['no redirect URI', { ...CLIENT, client_id: 'a', redirect_uris: [] }],
  [
    'a redirect URI that is useless here',
    { ...CLIENT, client_id: 'a', redirect_uris: ['http://evil.example/'] },
  ],
  ['a member that nobody knows', { ...CLIENT, client_id: 'a', scopes: 'x' }],
])('is refused with %s', (_case, client) => {
  expect(() => read({ clients: [CLIENT, client] })).toThrow();
});

it('is refused in production if its secrets are public', () => {
  const file = { development: true, clients: [CLIENT] };
  expect(read(file)).toHaveLength(1);
  expect(() => read(file, { production: true })).toThrow(
    'a development configuration is refused in production',
  );
  const { secret_hashes: _, ...client } = CLIENT;
  const unmarked = () =>
    read({ clients: [{ ...client, secrets: ['desk-at-hub-dev-secret'] }] }, { production: true });
  expect(unmarked).toThrow('client desk: a secret is a development secret');
  expect(unmarked).not.toThrow('desk-at-hub-dev-secret');
});
