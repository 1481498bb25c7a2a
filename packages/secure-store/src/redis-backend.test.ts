import { describe, expect, it } from '@jest/globals';
import { Cluster } from 'ioredis';
import type { RedisClient } from './connect-redis.ts';
import { createRedisBackend, NotReplicated } from './redis-backend.ts';

type Answer = readonly [error: Error | null, result: unknown];

/** A connection whose pipelines return these results. */
function add(answers: readonly Answer[] | null, status = 'ready', replicas = 2) {
  const commands: unknown[][] = [];
  const pipeline = {
    set: (...args: unknown[]) => {
      commands.push(['set', ...args]);
      return pipeline;
    },
    wait: (...args: unknown[]) => {
      commands.push(['wait', ...args]);
      return pipeline;
    },
    exec: async () => answers,
  };
  const redis = { status, pipeline: () => pipeline } as unknown as RedisClient;
  const backend = createRedisBackend(redis, { redis, replicas, timeoutMs: 100 });
  return { added: backend.add('key', Buffer.from('1'), 60), commands };
}

const STORED: Answer = [null, 'OK'];
const waitedFor = (replicas: number): Answer => [null, replicas];

describe('a value that must be at replicas', () => {
  it('is added once the required number of replicas have it', async () => {
    const { added, commands } = add([STORED, waitedFor(2)]);
    expect(await added).toBe(true);
    expect(commands).toEqual([
      ['set', 'key', Buffer.from('1'), 'EX', 60, 'NX'],
      ['wait', 2, 100],
    ]);
  });

  it('is not added if the key already had a value', async () => {
    expect(await add([[null, null], waitedFor(2)]).added).toBe(false);
    expect(await add([[null, null], waitedFor(0)]).added).toBe(false);
  });

  it('is refused if too few replicas have it', async () => {
    await expect(add([STORED, waitedFor(1)]).added).rejects.toEqual(new NotReplicated(1, 2));
  });

  it('is refused while there is no connection, and nothing is sent', async () => {
    const { added, commands } = add([STORED, waitedFor(2)], 'reconnecting');
    await expect(added).rejects.toThrow('not connected');
    expect(commands).toEqual([]);
  });

  it.each<[string, readonly Answer[] | null, string]>([
    ['Redis refuses to store it', [[new Error('READONLY'), undefined], waitedFor(2)], 'READONLY'],
    ['Redis refuses to wait', [STORED, [new Error('WAIT failed'), undefined]], 'WAIT failed'],
    ['there is no answer', null, 'did not answer'],
    ['one answer is missing', [STORED], 'did not answer'],
  ])('is refused when %s', async (_case, answers, message) => {
    await expect(add(answers).added).rejects.toThrow(message);
  });
});

describe('a cluster', () => {
  /** @param nodes the status of the connection to each node, and the state of the cluster that the node reports */
  function ping(nodes: readonly (readonly [status: string, info: string | Error])[]): Promise<void> {
    const cluster = Object.setPrototypeOf(
      {
        nodes: (role: string) =>
          (role === 'master' ? nodes : []).map(([status, info]) => ({
            status,
            cluster: async () => (info instanceof Error ? Promise.reject(info) : info),
          })),
      },
      Cluster.prototype,
    );
    return createRedisBackend(cluster).ping();
  }
  const OK = 'cluster_enabled:1\r\ncluster_state:ok\r\n';
  const FAIL = 'cluster_enabled:1\r\ncluster_state:fail\r\n';

  it('is usable while one node reports that it is', async () => {
    await expect(
      ping([
        ['ready', new Error('closed')],
        ['ready', FAIL],
        ['ready', OK],
      ]),
    ).resolves.toBeUndefined();
  });

  it.each<[string, (readonly [string, string | Error])[]]>([
    [
      'every node says that it is down',
      [
        ['ready', FAIL],
        ['ready', FAIL],
      ],
    ],
    ['no node answers', [['ready', new Error('closed')]]],
    ['no node is connected', [['connecting', OK]]],
    ['it has no nodes', []],
  ])('is not usable if %s', async (_case, nodes) => {
    await expect(ping(nodes)).rejects.toThrow();
  });
});

it('is usable on a single server while the server responds', async () => {
  const answering = { ping: async () => 'PONG' } as unknown as RedisClient;
  const silent = { ping: () => Promise.reject(new Error('closed')) } as unknown as RedisClient;
  await expect(createRedisBackend(answering).ping()).resolves.toBeUndefined();
  await expect(createRedisBackend(silent).ping()).rejects.toThrow('closed');
});
