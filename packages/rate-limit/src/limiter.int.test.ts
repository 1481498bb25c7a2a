import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { connectRedis, type RedisClient } from '@legate/secure-store';
import { startRedisCluster } from '@legate/secure-store/testing';
import { needs } from '@legate/testing';
import { createRateLimiter } from './index.ts';

/** The limiter counts in memory if there is no Redis server. */
const url = process.env.TEST_REDIS_URL;
const keyPrefix = `test-rate-limit-${randomUUID()}:`;
const clock = () => new Date();
const onError = (err: Error) => {
  throw err;
};
const onCluster = needs('Redis');
const cluster = onCluster.path.Redis ? await startRedisCluster(onCluster.path.Redis) : undefined;
const server = url ? await connectRedis(url, { keyPrefix, commandTimeoutMs: 5000, onError }) : undefined;
const ofCluster =
  cluster && (await connectRedis(cluster.settings, { keyPrefix, commandTimeoutMs: 5000, onError }));

afterAll(async () => {
  ofCluster?.disconnect();
  await cluster?.remove();
  if (!server) return;
  const keys = await server.keys(`${keyPrefix}*`);
  if (keys.length > 0) await server.del(keys.map((key) => key.slice(keyPrefix.length)));
  server.disconnect();
});

const places: [string, RedisClient | undefined][] = [[server ? 'Redis' : 'memory', server]];

const specs = (_name: string, redis: RedisClient | undefined) => {
  it('counts the requests of all processes, including each concurrent one', async () => {
    const first = createRateLimiter({ redis, clock });
    const second = redis ? createRateLimiter({ redis, clock }) : first;
    const requests = Array.from({ length: 40 }, (_, i) => (i % 2 ? first : second).consume('org:shared', 30));
    const usages = await Promise.all(requests);
    expect(usages.filter((usage) => usage.exceeded)).toHaveLength(10);
    expect(new Set(usages.map((usage) => usage.remaining)).size).toBe(30);
  });

  it('reports a fixed window end that lies at most a minute ahead', async () => {
    const limiter = createRateLimiter({ redis, clock });
    const before = Math.floor(Date.now() / 1000);
    const first = await limiter.consume('org:window', 60);
    const second = await limiter.consume('org:window', 60);
    const passed = Math.floor(Date.now() / 1000) - before;
    expect(first.resetAt - before).toBeGreaterThanOrEqual(60);
    expect(first.resetAt - before).toBeLessThanOrEqual(62 + passed);
    // Each time is rounded up, and counted from the arrival of the response of Redis.
    expect(Math.abs(second.resetAt - first.resetAt)).toBeLessThanOrEqual(1 + passed);
  });

  it('keeps the count when the limit changes within the window', async () => {
    const limiter = createRateLimiter({ redis, clock });
    for (let i = 0; i < 5; i++) await limiter.consume('org:plan', 4);
    expect(await limiter.consume('org:plan', 4)).toMatchObject({ exceeded: true });
    expect(await limiter.consume('org:plan', 300)).toMatchObject({ remaining: 293, exceeded: false });
  });

  it('returns the state of a key without counting', async () => {
    const limiter = createRateLimiter({ redis, clock });
    expect(await limiter.peek('org:peek', 3)).toMatchObject({ remaining: 3, resetAfterSeconds: 60 });
    for (let i = 0; i < 4; i++) await limiter.consume('org:peek', 3);
    await limiter.peek('org:peek', 3);
    expect(await limiter.peek('org:peek', 3)).toMatchObject({ limit: 3, remaining: 0, exceeded: false });
    expect(await limiter.peek('org:peek', 10)).toMatchObject({ remaining: 6 });
  });

  it('counts each of many keys separately, on any node', async () => {
    const limiter = createRateLimiter({ redis, clock });
    const keys = Array.from({ length: 30 }, (_, number) => `org:${number}`);
    for (let round = 0; round < 3; round += 1) await Promise.all(keys.map((key) => limiter.consume(key, 2)));
    const usages = await Promise.all(keys.map((key) => limiter.peek(key, 5)));
    expect(usages.map(({ remaining }) => remaining)).toEqual(keys.map(() => 2));
  });
};
describe.each(places)('a limiter on %s', specs);
onCluster.describe.each([['a Redis Cluster', ofCluster] as const])('a limiter on %s', specs);

it('counts in this process, without waiting, if no cluster was ever found', async () => {
  const redis = await connectRedis(
    { mode: 'cluster', urls: ['redis://127.0.0.1:1'] },
    { onError: () => undefined },
  );
  const failures: unknown[] = [];
  const limiter = createRateLimiter({ redis, clock, onDegraded: (err) => failures.push(err) });
  try {
    expect(await limiter.peek('org:a', 3)).toMatchObject({ remaining: 3 });
    expect(await limiter.consume('org:a', 3)).toMatchObject({ remaining: 2 });
  } finally {
    redis.disconnect();
  }
  expect(failures).toHaveLength(1);
});
