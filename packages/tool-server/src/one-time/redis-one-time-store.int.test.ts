import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openRedis } from '@legate/secure-store/testing';
import { needs } from '@legate/testing';
import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import { redisOneTimeStore } from './redis-one-time-store.ts';

const { describe, path } = needs('Redis');

describe('redisOneTimeStore', () => {
  const prefix = `test-tool-server-${randomUUID()}:`;
  let server: Awaited<ReturnType<typeof openRedis>>;
  let ioredis: Redis;
  let nodeRedis: ReturnType<typeof createClient>;
  beforeAll(async () => {
    server = await openRedis(path.Redis);
    ioredis = new Redis(server.url);
    nodeRedis = createClient({ url: server.url });
    await nodeRedis.connect();
  });
  afterAll(async () => {
    const keys = await ioredis.keys(`${prefix}*`);
    if (keys.length > 0) await ioredis.del(...keys);
    ioredis.disconnect();
    nodeRedis.destroy();
    await server.remove();
  });

  it('accepts exactly one of many concurrent uses by ioredis and node-redis together', async () => {
    const stores = [redisOneTimeStore(ioredis, { prefix }), redisOneTimeStore(nodeRedis, { prefix })];
    const uses = Array.from({ length: 50 }, () => stores.map((store) => store.useOnce('key', 60)));
    expect((await Promise.all(uses.flat())).filter(Boolean)).toHaveLength(1);
  });

  it.each([
    ['ioredis', () => redisOneTimeStore(ioredis, { prefix })],
    ['node-redis', () => redisOneTimeStore(nodeRedis, { prefix })],
  ])('keeps a key for its time to live, with %s', async (name, open) => {
    expect(await open().useOnce(name, 60.5)).toBe(true);
    const ttl = await ioredis.ttl(`${prefix}${name}`);
    expect([ttl, await open().useOnce(name, 60.5)]).toEqual([expect.any(Number), false]);
    expect(ttl).toBeGreaterThan(55);
    expect(ttl).toBeLessThanOrEqual(61);
  });
});
