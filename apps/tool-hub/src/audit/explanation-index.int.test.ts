import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { connectRedis } from '@legate/secure-store';
import { openRedis } from '@legate/secure-store/testing';
import { needs } from '@legate/testing';
import { createMemoryIndex, createRedisIndex, type ExplanationIndex } from './explanation-index.ts';

const BOUND = { maxEntries: 3, maxBytes: 100 };
const onRedis = needs('Redis');
const server = onRedis.path.Redis ? await openRedis(onRedis.path.Redis) : undefined;
const redis =
  server &&
  (await connectRedis(server.url, {
    keyPrefix: `test-${randomUUID()}:`,
    commandTimeoutMs: 5000, // a timeout on a machine that is busy with other tests is not an outage
    onError: () => undefined,
  }));
afterAll(async () => {
  for (const id of ['org_a', 'org_b']) await redis?.del(`calls-of:${id}`);
  redis?.disconnect();
  await server?.remove();
});

async function keepsTheNewest(index: ExplanationIndex): Promise<void> {
  const add = (organization: string, call: string, bytes: number) =>
    index.add(OrganizationId.parse(organization), call, bytes);
  expect([await add('org_a', 'a1', 10), await add('org_a', 'a2', 10), await add('org_a', 'a3', 10)]).toEqual([
    [],
    [],
    [],
  ]);
  expect(await add('org_b', 'b1', 100)).toEqual([]);
  expect(await add('org_a', 'a4', 10)).toEqual(['a1']); // one entry too many
  expect(await add('org_a', 'a5', 85)).toEqual(['a2', 'a3']); // too many bytes: removing entries leaves 10 and 85
  expect(await add('org_a', 'a6', 15)).toEqual(['a4']);
  expect(await add('org_b', 'b2', 1)).toEqual(['b1']);
}

it('returns the oldest explanations of an organization that exceeds its limit of entries or bytes', () =>
  keepsTheNewest(createMemoryIndex(BOUND)));

onRedis.describe('an index in Redis', () => {
  it('returns the oldest explanations of an organization that exceeds its limit of entries or bytes', async () => {
    if (!redis) throw new Error('there is no Redis');
    await keepsTheNewest(createRedisIndex(BOUND, { redis, ttlSeconds: 60 }));
    expect(await redis.ttl('calls-of:org_a')).toBeGreaterThan(0);
  });
});
