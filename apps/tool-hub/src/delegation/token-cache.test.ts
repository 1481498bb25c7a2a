import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Backend,
  createMemoryBackend,
  createSecureStore,
  generateEncryptionKeys,
} from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { createTestClock, type TestClock } from '../testing/clock.ts';
import { cacheTtlSeconds, createTokenCache, type TokenCache, tokenKey } from './token-cache.ts';

const ALICE = { organizationId: 'org_acme', connectorId: 'con_tools', userId: 'user_alice' };
const BOB = { ...ALICE, userId: 'user_bob' };
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

const credential = (expiresIn: number | undefined) => ({
  accessToken: TOKEN,
  expiresAt: expiresIn === undefined ? undefined : clock().getTime() / 1000 + expiresIn,
  scopes: ['mcp:tools:read'],
});

describe('the key', () => {
  it('is token:{org_id}:{connector_id}:{user_id}', async () => {
    await cache.store(ALICE, credential(3600));
    expect([...stored.keys()]).toEqual(['token:org_acme:con_tools:user_alice']);
  });

  it.each([
    ['organization', { organizationId: 'org:acme' }],
    ['connector', { connectorId: 'con:tools' }],
    ['user', { userId: 'con_tools:user_alice' }],
    ['user, when empty', { userId: '' }],
  ])('refuses an id that would make it ambiguous: %s', (_case, part) => {
    expect(() => tokenKey({ ...ALICE, ...part })).toThrow('colon');
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
    await cache.store(ALICE, credential(expiresIn));
    expect(stored.get(tokenKey(ALICE))?.ttlSeconds).toBe(ttlSeconds);
    expect(cacheTtlSeconds(expiresIn)).toBe(ttlSeconds);
  });

  it.each([[300], [299], [0], [-5], [undefined]])(
    'of a token that lives %s seconds is none: it is not stored',
    async (expiresIn) => {
      await cache.store(ALICE, credential(expiresIn));
      expect(stored.size).toBe(0);
    },
  );

  it('ends when it should', async () => {
    await cache.store(ALICE, credential(600));
    clock.advanceSeconds(299);
    expect(await cache.find(ALICE)).toBeDefined();
    clock.advanceSeconds(1);
    expect(await cache.find(ALICE)).toBeUndefined();
  });
});

describe('the entry', () => {
  it('holds the cached token record of the specification, and comes back whole', async () => {
    await cache.store(ALICE, credential(3600));
    expect(await cache.find(ALICE)).toEqual(credential(3600));
    const store = createSecureStore({ backend, keys });
    expect(JSON.parse((await store.get(tokenKey(ALICE))) ?? '')).toEqual({
      access_token: TOKEN,
      expires_at: clock().getTime() / 1000 + 3600,
      scopes: ['mcp:tools:read'],
    });
  });

  it('cannot be read by whoever reads the store', async () => {
    await cache.store(ALICE, credential(3600));
    const bytes = stored.get(tokenKey(ALICE))?.value.toString('latin1') ?? '';
    for (const readable of [TOKEN, 'access_token', 'mcp:tools:read', Buffer.from(TOKEN).toString('base64')])
      expect(bytes).not.toContain(readable);
  });

  it('is refused under any other key, and a miss there', async () => {
    await cache.store(ALICE, credential(3600));
    await backend.set(tokenKey(BOB), stored.get(tokenKey(ALICE))?.value ?? Buffer.alloc(0), 3600);
    expect(await cache.find(BOB)).toBeUndefined();
    expect(lookups).toEqual(['error']);
    expect(logged).toContain('token cache: entry cannot be read');
    expect(logged).not.toContain(TOKEN);
  });

  it.each([
    ['is altered', (value: Buffer) => Buffer.concat([value.subarray(0, -1), Buffer.from([0])])],
    ['is cut off', (value: Buffer) => value.subarray(0, 10)],
    ['is something else', () => Buffer.from('{"access_token":"planted","expires_at":9e9,"scopes":[]}')],
  ])('is a miss when it %s', async (_case, change) => {
    await cache.store(ALICE, credential(3600));
    await backend.set(tokenKey(ALICE), change(stored.get(tokenKey(ALICE))?.value ?? Buffer.alloc(0)), 3600);
    expect(await cache.find(ALICE)).toBeUndefined();
    expect(lookups).toEqual(['error']);
  });

  it('is a miss when another version of the program wrote it', async () => {
    const store = createSecureStore({ backend, keys });
    await store.set(tokenKey(ALICE), JSON.stringify({ token: TOKEN }), 3600);
    expect(await cache.find(ALICE)).toBeUndefined();
    await store.set(tokenKey(ALICE), 'not JSON', 3600);
    expect(await cache.find(ALICE)).toBeUndefined();
  });

  it('belongs to one user, one connector and one organization', async () => {
    await cache.store(ALICE, credential(3600));
    for (const other of [
      BOB,
      { ...ALICE, connectorId: 'con_other' },
      { ...ALICE, organizationId: 'org_globex' },
    ])
      expect(await cache.find(other)).toBeUndefined();
    await cache.remove(BOB);
    expect(await cache.find(ALICE)).toBeDefined();
    await cache.remove(ALICE);
    expect(await cache.find(ALICE)).toBeUndefined();
  });
});

describe('without its store', () => {
  const down: Backend = {
    get: () => Promise.reject(new Error('connection refused')),
    set: () => Promise.reject(new Error('connection refused')),
    add: () => Promise.reject(new Error('connection refused')),
    replace: () => Promise.reject(new Error('connection refused')),
    delete: () => Promise.reject(new Error('connection refused')),
    ping: () => Promise.reject(new Error('connection refused')),
  };

  it('finds nothing and stores nothing, and says so in the log without the token', async () => {
    const broken = cacheOn(down);
    await broken.store(ALICE, credential(3600));
    expect(await broken.find(ALICE)).toBeUndefined();
    expect(lookups).toEqual(['error']);
    expect(logged).toContain('connection refused');
    expect(logged).not.toContain(TOKEN);
  });

  it('does not claim to have removed anything', async () => {
    await expect(cacheOn(down).remove(ALICE)).rejects.toThrow('connection refused');
  });
});
