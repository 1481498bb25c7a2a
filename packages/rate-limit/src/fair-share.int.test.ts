import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { connectRedis } from '@legate/secure-store';
import { createFairShare, createRateLimiter } from './index.ts';

/** The limiter counts in memory if there is no Redis server. */
const url = process.env.TEST_REDIS_URL;
const keyPrefix = `test-fair-share-${randomUUID()}:`;
const clock = () => new Date();
const onError = (err: Error) => {
  throw err;
};
const redis = url ? await connectRedis(url, { keyPrefix, commandTimeoutMs: 5000, onError }) : undefined;
afterAll(async () => {
  if (!redis) return;
  const keys = await redis.keys(`${keyPrefix}*`);
  if (keys.length > 0) await redis.del(keys.map((key) => key.slice(keyPrefix.length)));
  redis.disconnect();
});

it(`leaves the others their part of a flood at two processes, counted in ${redis ? 'Redis' : 'memory'}`, async () => {
  const alone = createRateLimiter({ redis, clock });
  const [first, second] = [alone, redis ? createRateLimiter({ redis, clock }) : alone].map((limiter) =>
    createFairShare({ limiter, clock, sharePercent: 50 }),
  );
  if (!first || !second) throw new Error('not reached');
  const ask = (process: typeof first, principal: string) =>
    process.consume({ group: 'org:a', key: 'org:a', principal, limit: 20 });
  await Promise.all([ask(first, 'bob'), ask(second, 'bob')]);
  const flood = await Promise.all(
    Array.from({ length: 400 }, (_, i) => ask(i % 2 ? first : second, 'alice')),
  );
  expect(flood.filter(({ exceeded }) => !exceeded).length).toBeLessThanOrEqual(10);
  const rest = await Promise.all(Array.from({ length: 7 }, () => ask(second, 'bob')));
  expect(rest.filter(({ exceeded }) => !exceeded)).toHaveLength(7);
  const left = await first.peek({ group: 'org:a', key: 'org:a', principal: 'alice', limit: 20 });
  expect(left).toMatchObject({ remaining: 0, scope: 'user' });
});
