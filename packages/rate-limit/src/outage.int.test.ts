import { afterAll, expect, it } from '@jest/globals';
import { connectRedis, type RedisClient } from '@legate/secure-store';
import { type RedisProcess, startRedisProcess } from '@legate/secure-store/testing';
import { eventually, needs } from '@legate/testing';
import { createRateLimiter } from './index.ts';

const { describe, path } = needs('Redis');

describe('a limiter whose Redis is lost and comes back empty', () => {
  let server: RedisProcess | undefined;
  let redis: RedisClient | undefined;
  afterAll(async () => {
    redis?.disconnect();
    await server?.remove();
  });

  it('does not allow more than the limit in a window', async () => {
    server = await startRedisProcess(path.Redis, ['--save', '']);
    redis = await connectRedis(server.url, { commandTimeoutMs: 2000, onError: () => undefined });
    let laterMs = 0;
    const limiter = createRateLimiter({ redis, clock: () => new Date(Date.now() + laterMs) });
    let allowed = 0;
    const ask = async (count: number) => {
      for (let i = 0; i < count; i += 1) if (!(await limiter.consume('org:a', 60)).exceeded) allowed += 1;
    };

    await ask(50);
    await server.kill();
    await eventually('the loss is noticed', async () => redis?.status !== 'ready');
    await ask(60);
    expect(allowed).toBe(60);

    await server.restart();
    await eventually('it is found again', async () => redis?.status === 'ready');
    laterMs = 6000; // a limiter asks Redis again five seconds after a failure
    await ask(60);
    expect([allowed, await server.ask('EXISTS', 'rl:org:a')]).toEqual([60, 1]);
  });
});
