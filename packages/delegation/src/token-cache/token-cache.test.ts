import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { tokenId } from '@legate/jwt';
import {
  type Backend,
  createMemoryBackend,
  createSecureStore,
  generateEncryptionKeys,
} from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { createTestClock, type TestClock } from '@legate/service/testing';
import type { AccessToken } from '../domain/delegation.ts';
import { cacheTtlSeconds, createTokenCache, type TokenCache } from './token-cache.ts';
import { type RevokedTokens, type TokenOwner, type TokensOfUser, tokenKey } from './token-keys.ts';
import type { KeepingUse } from './token-record.ts';

const organizationId = OrganizationId.parse('org_acme');
const ALICE = {
  organizationId,
  connectorId: ConnectorId.parse('con_tools'),
  userId: UserId.parse('user_alice'),
  registration: 'r1',
};
const BOB = { ...ALICE, userId: UserId.parse('user_bob') };
const USE: KeepingUse = {
  authentication: { client: 'frontend-app' },
  signInKey: 'a-session',
  method: { issuesTokens: true, grantedBy: 'identity_provider' },
};
/** The epoch when nothing was ever revoked. */
const NO_REVOCATION = '|||';
const TOKEN = 'an.access.token-of-alice';

let clock: TestClock;
let backend: Backend;
let stored: Map<string, { value: Buffer; ttlSeconds: number }>;
let lookups: string[];
let logged: string;
let cache: TokenCache;

beforeEach(() => {
  clock = createTestClock();
  stored = new Map();
  lookups = [];
  logged = '';
  const memory = createMemoryBackend({ clock });
  backend = {
    ...memory,
    async set(key, value, ttlSeconds) {
      stored.set(key, { value, ttlSeconds });
      await memory.set(key, value, ttlSeconds);
    },
    async add(key, value, ttlSeconds) {
      const isAdded = await memory.add(key, value, ttlSeconds);
      if (isAdded) stored.set(key, { value, ttlSeconds });
      return isAdded;
    },
  };
  cache = cacheOn(backend);
});

function cacheOn(on: Backend): TokenCache {
  return createTokenCache({
    store: createSecureStore({ backend: on, keys: keys }),
    clock,
    log: createLogger({
      service: 'test',
      level: 'trace',
      destination: {
        write(line: string) {
          logged += line;
        },
      },
    }),
    onLookup: (outcome) => lookups.push(outcome),
  });
}
const keys = generateEncryptionKeys();

const credential = (expiresIn: number | undefined): AccessToken => ({
  kind: 'access_token',
  method: 'id-jag',
  accessToken: TOKEN,
  expiresAt: expiresIn === undefined ? undefined : clock().getTime() / 1000 + expiresIn,
  scopes: ['mcp:tools:read'],
});

describe('the key', () => {
  it('is token:{org_id}:{connector_id}:{user_id}', async () => {
    await cache.store(ALICE, USE, credential(3600), NO_REVOCATION);
    expect([...stored.keys()]).toEqual(['token:org_acme:con_tools:user_alice']);
  });

  it('refuses a user that would make it ambiguous', () => {
    const userId = UserId.parse('con_tools:user_alice');
    expect(() => tokenKey({ ...ALICE, userId })).toThrow('colon');
  });
});

describe('the time to live', () => {
  it.each([
    [3600, 3300],
    [7200, 3600],
    [3900, 3600],
    [3901, 3600],
    [600, 300],
    [301, 1],
  ])('of a token that lives %i seconds is %i', async (expiresIn, ttlSeconds) => {
    await cache.store(ALICE, USE, credential(expiresIn), NO_REVOCATION);
    expect(stored.get(tokenKey(ALICE))?.ttlSeconds).toBe(ttlSeconds);
    expect(cacheTtlSeconds(expiresIn)).toBe(ttlSeconds);
  });

  it.each([[300], [299], [0], [-5], [undefined]])(
    'of a token that lives %s seconds is empty: it is not stored',
    async (expiresIn) => {
      await cache.store(ALICE, USE, credential(expiresIn), NO_REVOCATION);
      expect(stored.size).toBe(0);
    },
  );

  it('does not exist for a token that was not issued for us', async () => {
    const use: KeepingUse = { ...USE, method: { issuesTokens: false, grantedBy: 'administrator' } };
    await cache.store(ALICE, use, { ...credential(3600), method: 'passthrough' }, NO_REVOCATION);
    expect(stored.size).toBe(0);
  });

  it('ends at the expected time', async () => {
    await cache.store(ALICE, USE, credential(600), NO_REVOCATION);
    clock.advanceSeconds(299);
    expect((await cache.find(ALICE, USE)).credential).toBeDefined();
    clock.advanceSeconds(1);
    expect((await cache.find(ALICE, USE)).credential).toBeUndefined();
  });
});

describe('the entry', () => {
  it('holds the token record of the specification with its conditions, and is read as it was written', async () => {
    await cache.store(ALICE, USE, credential(3600), NO_REVOCATION);
    expect((await cache.find(ALICE, USE)).credential).toEqual({ ...credential(3600), id: tokenId(TOKEN) });
    const store = createSecureStore({ backend, keys });
    const now = clock().getTime() / 1000;
    expect(JSON.parse((await store.get(tokenKey(ALICE))) ?? '')).toEqual({
      version: 1,
      tokens: [
        {
          token: { access_token: TOKEN, expires_at: now + 3600, scopes: ['mcp:tools:read'] },
          id: tokenId(TOKEN),
          method: 'id-jag',
          registration: 'r1',
          epoch: NO_REVOCATION,
          kept_until: now + 3300,
          obtained_with: { client: 'frontend-app' },
        },
      ],
    });
  });

  it('cannot be decrypted with access to the store', async () => {
    await cache.store(ALICE, USE, credential(3600), NO_REVOCATION);
    const bytes = stored.get(tokenKey(ALICE))?.value.toString('latin1') ?? '';
    for (const readable of [TOKEN, 'access_token', 'mcp:tools:read', Buffer.from(TOKEN).toString('base64')])
      expect(bytes).not.toContain(readable);
  });

  it('cannot be decrypted under any other key, and counts as a miss there', async () => {
    await cache.store(ALICE, USE, credential(3600), NO_REVOCATION);
    await backend.set(tokenKey(BOB), stored.get(tokenKey(ALICE))?.value ?? Buffer.alloc(0), 3600);
    expect((await cache.find(BOB, USE)).credential).toBeUndefined();
    expect(lookups).toEqual(['error']);
    expect(logged).toContain('token cache: entry cannot be read');
    expect(logged).not.toContain(TOKEN);
  });

  it.each([
    ['is altered', (value: Buffer) => Buffer.concat([value.subarray(0, -1), Buffer.from([0])])],
    ['is cut off', (value: Buffer) => value.subarray(0, 10)],
    ['is something else', () => Buffer.from('{"access_token":"planted","expires_at":9e9,"scopes":[]}')],
  ])('counts as a miss when it %s', async (_case, change) => {
    await cache.store(ALICE, USE, credential(3600), NO_REVOCATION);
    await backend.set(tokenKey(ALICE), change(stored.get(tokenKey(ALICE))?.value ?? Buffer.alloc(0)), 3600);
    expect((await cache.find(ALICE, USE)).credential).toBeUndefined();
    expect(lookups).toEqual(['error']);
  });

  it('counts as a miss if another version of the program wrote it', async () => {
    const store = createSecureStore({ backend, keys });
    const former = { access_token: TOKEN, access_token_id: tokenId(TOKEN), expires_at: 9e9, scopes: [] };
    const facts = { method: 'id-jag', registration: 'r1', epoch: NO_REVOCATION };
    await store.set(tokenKey(ALICE), JSON.stringify({ ...former, ...facts }), 3600);
    expect((await cache.find(ALICE, USE)).credential).toBeUndefined();
    await store.set(tokenKey(ALICE), JSON.stringify({ token: TOKEN }), 3600);
    expect((await cache.find(ALICE, USE)).credential).toBeUndefined();
    await store.set(tokenKey(ALICE), 'not JSON', 3600);
    expect((await cache.find(ALICE, USE)).credential).toBeUndefined();
  });

  it('belongs to one user, one connector and one organization', async () => {
    await cache.store(ALICE, USE, credential(3600), NO_REVOCATION);
    for (const other of [
      BOB,
      { ...ALICE, connectorId: ConnectorId.parse('con_other') },
      { ...ALICE, organizationId: OrganizationId.parse('org_globex') },
    ])
      expect((await cache.find(other, USE)).credential).toBeUndefined();
    await cache.remove(BOB);
    expect((await cache.find(ALICE, USE)).credential).toBeDefined();
    await cache.remove(ALICE);
    expect((await cache.find(ALICE, USE)).credential).toBeUndefined();
  });
});

describe('a revocation', () => {
  const OTHERS = {
    colleague: BOB,
    'other connector': { ...ALICE, connectorId: ConnectorId.parse('con_other') },
    'other organization': { ...ALICE, organizationId: OrganizationId.parse('org_globex') },
  };
  const keep = async (owner: TokenOwner) =>
    cache.store(owner, USE, credential(3600), (await cache.find(owner, USE)).revocationEpoch);

  it.each<[string, RevokedTokens | TokensOfUser, (keyof typeof OTHERS)[]]>([
    ['an organization', { organizationId }, ['other organization']],
    [
      'a connector',
      { organizationId, connectorId: ALICE.connectorId },
      ['other connector', 'other organization'],
    ],
    ['a user', { organizationId, userId: ALICE.userId }, ['colleague', 'other organization']],
    ['a user in every organization', { userId: ALICE.userId }, ['colleague']],
  ])('of %s invalidates its tokens, and no others', async (_case, revoked, untouched) => {
    for (const owner of [ALICE, ...Object.values(OTHERS)]) await keep(owner);
    await cache.revoke(revoked);
    expect((await cache.find(ALICE, USE)).credential).toBeUndefined();
    const left = [];
    for (const [name, owner] of Object.entries(OTHERS))
      if ((await cache.find(owner, USE)).credential) left.push(name);
    expect(left).toEqual(untouched);
  });

  it('permits new tokens, until the next one', async () => {
    for (let round = 0; round < 2; round += 1) {
      await cache.revoke({ organizationId });
      expect((await cache.find(ALICE, USE)).credential).toBeUndefined();
      await keep(ALICE);
      expect((await cache.find(ALICE, USE)).credential).toBeDefined();
    }
  });

  it('also invalidates a token that another process is obtaining', async () => {
    const elsewhere = cacheOn(backend);
    const { revocationEpoch: epoch } = await elsewhere.find(ALICE, USE);
    await cache.revoke({ organizationId, connectorId: ALICE.connectorId });
    await elsewhere.store(ALICE, USE, credential(3600), epoch);
    expect((await cache.find(ALICE, USE)).credential).toBeUndefined();
    expect((await elsewhere.find(ALICE, USE)).credential).toBeUndefined();
  });

  it('keeps both of two tokens that are stored concurrently', async () => {
    const other = { ...USE, authentication: { client: 'other-app' } };
    const { revocationEpoch: epoch } = await cache.find(ALICE, USE);
    await Promise.all([
      cache.store(ALICE, USE, credential(3600), epoch),
      cache.store(ALICE, other, { ...credential(3600), accessToken: 'another' }, epoch),
    ]);
    expect((await cache.find(ALICE, USE)).credential?.accessToken).toBe(TOKEN);
    expect((await cache.find(ALICE, other)).credential?.accessToken).toBe('another');
  });

  it('hides a token that another process has stored since from earlier callers', async () => {
    const { revocationEpoch: epoch } = await cache.find(ALICE, USE);
    await keep(ALICE);
    expect(await cache.findSince(ALICE, USE, epoch ?? '')).toMatchObject({ accessToken: TOKEN });
    await cache.revoke({ organizationId });
    await keep(ALICE);
    expect(await cache.findSince(ALICE, USE, epoch ?? '')).toBeUndefined();
  });

  it('is stored longer than any token that it invalidates', async () => {
    await cache.store(ALICE, USE, credential(86_400), NO_REVOCATION);
    await cache.revoke({ organizationId });
    const lifetimes = [...stored.values()].map(({ ttlSeconds }) => ttlSeconds);
    expect(lifetimes).toEqual([3600, 7200]);
  });

  it('cannot be undone with write access to the store', async () => {
    await keep(ALICE);
    await cache.revoke({ organizationId });
    await backend.set('epoch:org_acme::', Buffer.from('planted'), 60);
    expect((await cache.find(ALICE, USE)).credential).toBeUndefined();
  });

  it('is refused for a user id that would make the key ambiguous', async () => {
    await expect(cache.revoke({ userId: UserId.parse('org_acme::user_alice') })).rejects.toThrow('colon');
  });
});

describe('a token', () => {
  it('is not used after the registration of its connector has changed', async () => {
    await cache.store(ALICE, USE, credential(3600), NO_REVOCATION);
    expect((await cache.find({ ...ALICE, registration: 'r2' }, USE)).credential).toBeUndefined();
  });

  it('with fewer scopes is stored separately from a token with all scopes', async () => {
    const ofAgent = { ...ALICE, scopesKey: 'fewer' };
    await cache.store(ALICE, USE, credential(3600), NO_REVOCATION);
    expect((await cache.find(ofAgent, USE)).credential).toBeUndefined();
    expect(tokenKey(ofAgent)).toBe('token:org_acme:con_tools@fewer:user_alice');
    await cache.store(ofAgent, USE, credential(3600), NO_REVOCATION);
    await cache.revoke({ organizationId, connectorId: ALICE.connectorId });
    expect((await cache.find(ofAgent, USE)).credential).toBeUndefined();
  });

  it('is looked up in one round trip', async () => {
    let trips = 0;
    const counted: Backend = {
      ...backend,
      get: () => Promise.reject(new Error('a round trip of its own')),
      getMany: (keys) => {
        trips += 1;
        return backend.getMany(keys);
      },
    };
    await cache.store(ALICE, USE, credential(3600), NO_REVOCATION);
    expect((await cacheOn(counted).find(ALICE, USE)).credential).toBeDefined();
    expect(trips).toBe(1);
  });
});

describe('without its store', () => {
  const down: Backend = {
    get: () => Promise.reject(new Error('connection refused')),
    getMany: () => Promise.reject(new Error('connection refused')),
    set: () => Promise.reject(new Error('connection refused')),
    add: () => Promise.reject(new Error('connection refused')),
    replace: () => Promise.reject(new Error('connection refused')),
    delete: () => Promise.reject(new Error('connection refused')),
    ping: () => Promise.reject(new Error('connection refused')),
  };

  it('finds and stores nothing, and logs the failure without the token', async () => {
    const broken = cacheOn(down);
    await broken.store(ALICE, USE, credential(3600), NO_REVOCATION);
    expect(await broken.find(ALICE, USE, ['a-mark'])).toEqual({
      credential: undefined,
      revocationEpoch: undefined,
      further: [],
    });
    expect(lookups).toEqual(['error']);
    expect(logged).toContain('connection refused');
    expect(logged).not.toContain(TOKEN);
  });

  it('throws when it should remove or revoke tokens', async () => {
    await expect(cacheOn(down).remove(ALICE)).rejects.toThrow('connection refused');
    await expect(cacheOn(down).revoke({ organizationId })).rejects.toThrow('connection refused');
  });

  it('caches no token that a concurrent revocation might miss', async () => {
    const { revocationEpoch: epoch } = await cacheOn(down).find(ALICE, USE);
    await cache.store(ALICE, USE, credential(3600), epoch);
    expect(stored.size).toBe(0);
  });
});
