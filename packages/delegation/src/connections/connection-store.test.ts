import { beforeEach, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import {
  type Backend,
  createMemoryBackend,
  createSecureStore,
  generateEncryptionKeys,
} from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { createTestClock, type TestClock } from '@legate/service/testing';
import type { Connection, ConnectionOwner } from './connection.ts';
import { type Connections, createConnections, type RevokedConnections } from './connection-store.ts';

const TTL_SECONDS = 1000;
const OWNER: ConnectionOwner = {
  organizationId: OrganizationId.parse('org_acme'),
  connectorId: ConnectorId.parse('con_a'),
  userId: UserId.parse('user_alice'),
};

let clock: TestClock;
let backend: Backend;
let connections: Connections;
beforeEach(() => {
  clock = createTestClock();
  backend = createMemoryBackend({ clock });
  connections = createConnections({
    store: createSecureStore({ backend, keys: generateEncryptionKeys() }),
    ttlSeconds: TTL_SECONDS,
    clock,
    log: createLogger({ service: 'test', level: 'silent' }),
  });
});

const seconds = () => Math.floor(clock().getTime() / 1000);

async function create(owner = OWNER): Promise<Connection> {
  const { epochs } = await connections.find(owner);
  const connection: Connection = {
    id: 'id-1',
    generation: 0,
    accessToken: 'access',
    expiresAt: seconds() + 100,
    refreshToken: 'refresh',
    scopes: ['read'],
    issuer: 'https://as.example',
    clientId: 'hub',
    registration: 'r',
    endsAt: seconds() + TTL_SECONDS,
    epochs,
  };
  await connections.create(owner, connection);
  return connection;
}
const isThere = async (owner = OWNER) => (await connections.find(owner)).connection !== undefined;

it('returns a connection only to its owner', async () => {
  const connection = await create();
  expect((await connections.find(OWNER)).connection).toMatchObject(connection);
  for (const other of [
    { organizationId: OrganizationId.parse('org_globex') },
    { connectorId: ConnectorId.parse('con_b') },
    { userId: UserId.parse('user_bob') },
    { scopesKey: 'narrow' },
  ])
    expect(await isThere({ ...OWNER, ...other })).toBe(false);
});

it.each<[string, Omit<RevokedConnections, 'organizationId'>, boolean]>([
  ['its organization', {}, false],
  ['its connector', { connectorId: ConnectorId.parse('con_a') }, false],
  ['its user', { userId: UserId.parse('user_alice') }, false],
  [
    'its user at its connector',
    { connectorId: ConnectorId.parse('con_a'), userId: UserId.parse('user_alice') },
    false,
  ],
  ['another connector', { connectorId: ConnectorId.parse('con_b') }, true],
  ['another user', { userId: UserId.parse('user_bob') }, true],
  [
    'another user at its connector',
    { connectorId: ConnectorId.parse('con_a'), userId: UserId.parse('user_bob') },
    true,
  ],
])('a revocation of %s determines whether it exists', async (_case, revoked, stays) => {
  await create();
  await connections.revoke({ organizationId: 'org_acme', ...revoked } as RevokedConnections);
  expect(await isThere()).toBe(stays);
  await create();
  expect(await isThere()).toBe(true);
});

it('a revocation for a user also ends the connection of an agent with fewer scopes', async () => {
  const owner = { ...OWNER, scopesKey: 'narrow' };
  await create(owner);
  await connections.revoke({
    organizationId: OrganizationId.parse('org_acme'),
    connectorId: ConnectorId.parse('con_a'),
    userId: UserId.parse('user_alice'),
  });
  expect(await isThere(owner)).toBe(false);
});

it('a connection survives an earlier revocation, and stays revoked after a later one expires', async () => {
  await create();
  await connections.revoke({ organizationId: OrganizationId.parse('org_acme') });
  for (let passed = 0; passed < 2 * TTL_SECONDS + 200; passed += 100) {
    expect(await isThere()).toBe(false);
    clock.advanceSeconds(100);
  }
  await connections.revoke({ organizationId: OrganizationId.parse('org_acme') });
  clock.advanceSeconds(1900);
  await create();
  clock.advanceSeconds(200); // the epoch has expired
  expect(await isThere()).toBe(true);
});

it('only one process may send a refresh token, until it is released', async () => {
  const connection = await create();
  const claims = await Promise.all([connections.claim(connection), connections.claim(connection)]);
  expect(claims.sort()).toEqual([false, true]);
  expect(await connections.claim({ ...connection, generation: 1 })).toBe(true);
  await connections.release(connection);
  expect(await connections.claim(connection)).toBe(true);
});

it('is replaced only if unchanged since it was read', async () => {
  await create();
  const { connection } = await connections.find(OWNER);
  if (!connection) throw new Error('no connection');
  const next = { ...connection, generation: 1, accessToken: 'next' };
  expect(await connections.replace(OWNER, connection, next)).toBe(true);
  expect(await connections.replace(OWNER, connection, { ...next, accessToken: 'late' })).toBe(false);
  expect(await connections.replace(OWNER, connection, undefined)).toBe(false);
  expect((await connections.find(OWNER)).connection?.accessToken).toBe('next');
});

it('refuses a user with a colon', async () => {
  const owner = { ...OWNER, userId: UserId.parse('user:alice') };
  await expect(connections.find(owner)).rejects.toThrow('colon');
});

it('treats records of another version, or foreign ones, as absent', async () => {
  await create();
  const key = 'connection:org_acme:con_a:user_alice';
  await backend.set('connection:org_acme:con_a:user_bob', (await backend.get(key)) ?? Buffer.of(), 60);
  expect(await isThere({ ...OWNER, userId: UserId.parse('user_bob') })).toBe(false);
});

it('keeps the access token until it expires, and the refresh token as long as the connection', async () => {
  await create();
  clock.advanceSeconds(100);
  const { connection } = await connections.find(OWNER);
  expect([connection?.accessToken, connection?.refreshToken]).toEqual([undefined, 'refresh']);
});

it('keeps an access token for at most an hour', async () => {
  const { epochs } = await connections.find(OWNER);
  const created = await create();
  await connections.create(OWNER, {
    ...created,
    epochs,
    expiresAt: seconds() + 90_000,
    endsAt: seconds() + 90_000,
  });
  clock.advanceSeconds(3599);
  expect((await connections.find(OWNER)).connection?.accessToken).toBe('access');
  clock.advanceSeconds(1);
  expect((await connections.find(OWNER)).connection?.accessToken).toBeUndefined();
});

it('keeps an access token with the consent if there is no refresh token', async () => {
  const { epochs } = await connections.find(OWNER);
  const created = await create();
  const alone = {
    ...created,
    epochs,
    refreshToken: undefined,
    expiresAt: seconds() + 9000,
    endsAt: seconds() + 9000,
  };
  await connections.create(OWNER, alone);
  clock.advanceSeconds(8999);
  expect((await connections.find(OWNER)).connection?.accessToken).toBe('access');
});
