import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import {
  type Backend,
  connectRedis,
  createMemoryBackend,
  createOneTimeStore,
  createRedisBackend,
} from '@legate/secure-store';
import { createScene, NOW, type Scene } from './testing/scene.ts';

/** Two replicas that share the store of redeemed assertions: Redis if available, otherwise memory. */

const url = process.env.TEST_REDIS_URL;
const keyPrefix = `test-reference-mcp-server-${randomUUID()}:`;
const clock = () => new Date(NOW * 1000);
let redis: Awaited<ReturnType<typeof connectRedis>> | undefined;
let backend: Backend;
let replicas: Scene[];

beforeAll(async () => {
  redis =
    url === undefined
      ? undefined
      : await connectRedis(url, { keyPrefix, onError: () => {}, commandTimeoutMs: 5000 });
  backend = redis ? createRedisBackend(redis) : createMemoryBackend({ clock });
  const signingKeys = await createSigningKeys({ alg: 'ES256', clock });
  const replica = () => createScene({ oneTimeStore: createOneTimeStore(backend, 'jti:'), signingKeys });
  replicas = [await replica(), await replica()];
});

afterAll(async () => {
  if (!redis) return;
  const keys = await redis.keys(`${keyPrefix}*`);
  if (keys.length > 0) await redis.del(...keys.map((key) => key.slice(keyPrefix.length)));
  redis.disconnect();
});

it('redeems an assertion once, at one of two replicas, in thirty attempts', async () => {
  const [first] = replicas;
  const assertion = await first?.idJag();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => replicas[index % 2]?.redeem(assertion ?? '')),
  );
  const outcomes = answers.map((res) => (res?.status === 200 ? 'granted' : res?.body.error));
  expect(outcomes.filter((outcome) => outcome === 'granted')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'invalid_grant')).toHaveLength(29);
});

it('stores redeemed assertions until they expire, under a key that reveals neither issuer nor jti', async () => {
  const [first] = replicas;
  await first?.redeem(await first.idJag({ jti: 'a-visible-jti', exp: NOW + 100 }));
  if (!redis) {
    const again = await first?.redeem(await first.idJag({ jti: 'a-visible-jti' }));
    expect(again?.body.error).toBe('invalid_grant');
    return;
  }
  const keys = await redis.keys(`${keyPrefix}*`);
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) {
    expect(key.slice(keyPrefix.length)).toMatch(/^jti:[A-Za-z0-9_-]{43}$/);
    const ttl = await redis.ttl(key.slice(keyPrefix.length));
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(360);
  }
});
