import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Backend, connectRedis, createMemoryBackend, createRedisBackend } from '@legate/secure-store';
import { openRedis } from '@legate/secure-store/testing';
import { needs } from '@legate/testing';
import { createAdapterFactory } from './adapter.ts';
import type { AdapterPayload } from './oidc-provider.ts';

interface TestStore {
  readonly backend: Backend;
  /** All stored keys and values, as text */
  readonly dump: () => Promise<string>;
  readonly close: () => Promise<void>;
}

const clock = () => new Date();
const now = () => Math.floor(Date.now() / 1000);
const onRedis = needs('Redis');
const server = onRedis.path.Redis ? await openRedis(onRedis.path.Redis) : undefined;
afterAll(() => server?.remove());

/** A memory backend that records what is written to it. */
async function openMemory(): Promise<TestStore> {
  const backend = createMemoryBackend({ clock });
  const written: string[] = [];
  return {
    backend: {
      ...backend,
      set(key, value, ttlSeconds) {
        written.push(key, value.toString('utf8'));
        return backend.set(key, value, ttlSeconds);
      },
    },
    dump: async () => written.join('\n'),
    close: async () => {},
  };
}

async function openOnRedis(): Promise<TestStore> {
  const options = {
    commandTimeoutMs: 5000,
    onError: (err: Error) => {
      throw err;
    },
  };
  const prefix = `test:${randomUUID()}:`;
  const url = server?.url ?? '';
  const redis = await connectRedis(url, { ...options, keyPrefix: prefix });
  const bare = await connectRedis(url, options);
  const keys = () => bare.keys(`${prefix}*`);
  return {
    backend: createRedisBackend(redis),
    async dump() {
      const stored = await keys();
      return [...stored, ...(await bare.mget(...stored))].join('\n');
    },
    async close() {
      const left = await keys();
      if (left.length > 0) await bare.del(...left);
      redis.disconnect();
      bare.disconnect();
    },
  };
}

describe('the state of oidc-provider in memory', () => keepsState(openMemory));
onRedis.describe('the state of oidc-provider in Redis', () => keepsState(openOnRedis));

function keepsState(open: () => Promise<TestStore>): void {
  let store: TestStore;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  const adapterFor = (model: string) =>
    createAdapterFactory({
      prefix: 'oidc:',
      backend: store.backend,
      clock,
      findClient: async () => undefined,
    })(model);
  const refreshToken = (changes: AdapterPayload = {}): AdapterPayload => ({
    jti: 'the-refresh-token',
    kind: 'RefreshToken',
    grantId: 'grant-1',
    exp: now() + 600,
    ...changes,
  });

  it('is returned as it was stored', async () => {
    const adapter = adapterFor('RefreshToken');
    await adapter.upsert('the-refresh-token', refreshToken(), 600);
    expect(await adapter.find('the-refresh-token')).toEqual(
      refreshToken({ exp: expect.any(Number) as never }),
    );
    await adapter.destroy('the-refresh-token');
    expect(await adapter.find('the-refresh-token')).toBeUndefined();
  });

  it('stores no token that a reader of the store could use', async () => {
    await adapterFor('RefreshToken').upsert('the-refresh-token', refreshToken(), 600);
    await adapterFor('AuthorizationCode').upsert('the-code', { jti: 'the-code', exp: now() + 60 }, 60);
    const dump = await store.dump();
    expect(dump).toContain('grant-1');
    expect(dump).not.toMatch(/the-refresh-token|the-code/);
  });

  it('is consumed by exactly one of many concurrent requests', async () => {
    const adapter = adapterFor('RefreshToken');
    await adapter.upsert('the-refresh-token', refreshToken(), 600);
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, () => adapter.consume('the-refresh-token')),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(attempts.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { error: 'invalid_grant' },
    });
    expect(await adapter.find('the-refresh-token')).toMatchObject({ consumed: expect.any(Number) });
  });

  it('is revoked with its own grant, and not with another grant', async () => {
    const adapter = adapterFor('RefreshToken');
    await adapter.upsert('one', refreshToken({ jti: 'one' }), 600);
    await adapter.upsert('two', refreshToken({ jti: 'two', grantId: 'grant-2' }), 600);
    await adapter.revokeByGrantId('grant-1');
    expect(await adapter.find('one')).toBeUndefined();
    expect(await adapter.find('two')).toBeDefined();
  });

  it('finds a session by its uid', async () => {
    const adapter = adapterFor('Session');
    await adapter.upsert('session-1', { jti: 'session-1', uid: 'uid-1', exp: now() + 600 }, 600);
    expect(await adapter.findByUid('uid-1')).toMatchObject({ jti: 'session-1' });
    expect(await adapter.findByUid('uid-2')).toBeUndefined();
  });
}
