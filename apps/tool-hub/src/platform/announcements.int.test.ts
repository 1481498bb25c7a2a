import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { connectRedis, type RedisClient, type RedisSettings } from '@legate/secure-store';
import {
  FAILOVER_MS,
  type RedisClusterProcesses,
  type RedisSentinelProcesses,
  startRedisCluster,
  startRedisSentinels,
} from '@legate/secure-store/testing';
import { createLogger } from '@legate/service';
import { eventually, needs } from '@legate/testing';
import { type Announcements, listenForAnnouncements } from './announcements.ts';

const { describe, path } = needs('night', 'Redis');
const log = createLogger({ service: 'test', level: 'silent' });

/** The announcements of a hub process, and what it received. */
interface Hub extends Announcements {
  readonly redis: RedisClient;
  readonly heard: string[];
  looksAgain: number;
}

const hubs: Hub[] = [];
async function startHub(settings: RedisSettings, channel: string): Promise<Hub> {
  const redis = await connectRedis(settings, { commandTimeoutMs: 2000, onError: () => undefined });
  const state = { heard: [] as string[], looksAgain: 0 };
  const announcements = await listenForAnnouncements(redis, {
    channel,
    onAnnounced: (id) => state.heard.push(id),
    onMissed: () => {
      state.looksAgain += 1;
    },
    log,
  });
  const hub = Object.assign(state, announcements, { redis });
  hubs.push(hub);
  return hub;
}
afterEach(() => {
  for (const hub of hubs.splice(0)) {
    hub.close();
    hub.redis.disconnect();
  }
});

/** Announces repeatedly until all have received it: announcements may be lost while nodes change roles. */
async function untilHeard(from: Hub, by: readonly Hub[], organization: string): Promise<void> {
  const isHeard = async () => {
    await from.announce(organization).catch(() => undefined);
    return by.every(({ heard }) => heard.includes(organization));
  };
  await eventually('an announcement is heard', isHeard, { timeoutMs: FAILOVER_MS });
}

describe('announcements on a Redis Cluster', () => {
  let cluster: RedisClusterProcesses;
  beforeAll(async () => {
    cluster = await startRedisCluster(path.Redis, { fullCoverage: false });
  });
  afterAll(() => cluster?.remove());

  it('reach every process once, whichever node it listens at', async () => {
    const channel = `test-${randomUUID()}`;
    const all = await Promise.all([1, 2, 3, 4].map(() => startHub(cluster.settings, channel)));
    expect(all.map(({ looksAgain }) => looksAgain)).toEqual([1, 1, 1, 1]);
    for (const [number, hub] of all.entries()) await hub.announce(`org_${number}`);
    await eventually('all are heard', async () => all.every(({ heard }) => heard.length >= 4));
    for (const { heard } of all) expect(heard.toSorted()).toEqual(['org_0', 'org_1', 'org_2', 'org_3']);
  });

  it('are received again after the loss of any node, and processes check for missed ones', async () => {
    const all = await Promise.all([1, 2, 3].map(() => startHub(cluster.settings, `test-${randomUUID()}`)));
    for (const lost of cluster.nodes) {
      await lost.kill();
      for (const hub of all) await untilHeard(hub, [hub], `without_${lost.port}`);
      await lost.restart();
      await cluster.untilWhole();
    }
    // Each process listened at one of the three nodes, and each of these was lost.
    for (const { looksAgain } of all) expect(looksAgain).toBeGreaterThanOrEqual(2);
  });
});

describe('announcements with sentinels', () => {
  let redis: RedisSentinelProcesses;
  beforeAll(async () => {
    redis = await startRedisSentinels(path.Redis);
  });
  afterAll(() => redis?.remove());

  it(
    'are received again after the replica has become the primary, and processes check for missed ones',
    async () => {
      const channel = `test-${randomUUID()}`;
      const [one, other] = [await startHub(redis.settings, channel), await startHub(redis.settings, channel)];
      await untilHeard(one, [one, other], 'before');
      await redis.master.kill();
      await untilHeard(one, [one, other], 'after');
      // More than once if sentinels still report the lost primary for a while.
      for (const { looksAgain } of [one, other]) expect(looksAgain).toBeGreaterThanOrEqual(2);
    },
    FAILOVER_MS + 30_000,
  );
});
