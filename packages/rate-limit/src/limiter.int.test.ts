import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createRateLimiter } from './index.ts';

/** The embedded counterpart of Redis is the limiter without one. */
const url = process.env.TEST_REDIS_URL;
const keyPrefix = `test-rate-limit-${randomUUID()}:`;
const clock = () => new Date();
let redis: Redis | undefined;

beforeAll(async () => {
  if (!url) return;
  redis = new Redis(url, { lazyConnect: true, enableOfflineQueue: false, keyPrefix });
  await redis.connect();
});

afterAll(async () => {
  if (!redis) return;
  const keys = await redis.keys(`${keyPrefix}*`);
  if (keys.length > 0) await redis.del(keys.map((key) => key.slice(keyPrefix.length)));
  await redis.quit();
});

it('counts the requests of all processes, and of requests at once each one', async () => {
  const first = createRateLimiter({ redis, clock });
  const second = redis ? createRateLimiter({ redis, clock }) : first;
  const requests = Array.from({ length: 40 }, (_, i) => (i % 2 ? first : second).consume('org:shared', 30));
  const usages = await Promise.all(requests);
  expect(usages.filter((usage) => usage.exceeded)).toHaveLength(10);
  expect(new Set(usages.map((usage) => usage.remaining)).size).toBe(30);
});

it('tells a window end that does not move and lies at most a minute ahead', async () => {
  const limiter = createRateLimiter({ redis, clock });
  const before = Math.floor(Date.now() / 1000);
  const first = await limiter.consume('org:window', 60);
  const second = await limiter.consume('org:window', 60);
  expect(first.resetAt - before).toBeGreaterThanOrEqual(60);
  expect(first.resetAt - before).toBeLessThanOrEqual(62);
  // Rounding up of two moments a few milliseconds apart
  expect(Math.abs(second.resetAt - first.resetAt)).toBeLessThanOrEqual(1);
});

it('keeps the count when the limit changes within the window', async () => {
  const limiter = createRateLimiter({ redis, clock });
  for (let i = 0; i < 5; i++) await limiter.consume('org:plan', 4);
  expect(await limiter.consume('org:plan', 4)).toMatchObject({ exceeded: true });
  expect(await limiter.consume('org:plan', 300)).toMatchObject({ remaining: 293, exceeded: false });
});

it('tells where a key stands without counting', async () => {
  const limiter = createRateLimiter({ redis, clock });
  expect(await limiter.peek('org:peek', 3)).toMatchObject({ remaining: 3, resetAfterSeconds: 60 });
  for (let i = 0; i < 4; i++) await limiter.consume('org:peek', 3);
  await limiter.peek('org:peek', 3);
  expect(await limiter.peek('org:peek', 3)).toMatchObject({ limit: 3, remaining: 0, exceeded: false });
  expect(await limiter.peek('org:peek', 10)).toMatchObject({ remaining: 6 });
});
