import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@legate/testing';
import type { RedisSentinels } from '../redis-settings.ts';
import { freeRedisPort, type RedisProcess, startRedisProcess } from './redis-process.ts';

export interface RedisSentinelProcesses {
  readonly master: RedisProcess;
  readonly replica: RedisProcess;
  /** Three, two of which must agree */
  readonly sentinels: readonly RedisProcess[];
  readonly settings: RedisSentinels;
  remove(): Promise<void>;
}

const NAME = 'the-master';
const SENTINELS = 3;

/** Milliseconds that a failover may take: a sentinel that got no CPU for two seconds does nothing for thirty (TILT). */
export const FAILOVER_MS = 70_000;

/** A master with one replica, and sentinels that promote the replica within a second or two after the master fails. */
export async function startRedisSentinels(program: string): Promise<RedisSentinelProcesses> {
  const directory = await mkdtemp(join(tmpdir(), 'legate-sentinels-'));
  const started: RedisProcess[] = [];
  const remove = async () => {
    await Promise.all(started.map((running) => running.remove()));
    await rm(directory, { recursive: true, force: true });
  };
  const start = async (args: readonly string[], port?: number): Promise<RedisProcess> => {
    const running = await startRedisProcess(program, args, port === undefined ? undefined : { port });
    started.push(running);
    return running;
  };
  try {
    const data = ['--save', '', '--appendonly', 'yes', '--repl-diskless-sync-delay', '0'];
    const master = await start(data);
    const replica = await start([...data, '--replicaof', '127.0.0.1', String(master.port)]);
    await eventually('a replica that follows', async () =>
      String(await replica.ask('INFO', 'replication')).includes('master_link_status:up'),
    );
    const sentinels: RedisProcess[] = [];
    for (let number = 0; number < SENTINELS; number += 1) {
      const port = await freeRedisPort();
      const file = join(directory, `${port}.conf`); // a sentinel writes its state into this file
      await appendFile(
        file,
        [
          `sentinel monitor ${NAME} 127.0.0.1 ${master.port} 2`,
          `sentinel down-after-milliseconds ${NAME} 500`,
          `sentinel failover-timeout ${NAME} 3000`,
          '',
        ].join('\n'),
      );
      sentinels.push(await start([file, '--sentinel'], port));
    }
    await eventually('sentinels that know each other', async () => {
      const known = await Promise.all(
        sentinels.map((sentinel) => sentinel.ask('SENTINEL', 'SENTINELS', NAME)),
      );
      return known.every((others) => Array.isArray(others) && others.length === SENTINELS - 1);
    });
    await eventually('sentinels that know the replica', async () => {
      const known = await Promise.all(
        sentinels.map((sentinel) => sentinel.ask('SENTINEL', 'REPLICAS', NAME)),
      );
      return known.every((replicas) => Array.isArray(replicas) && replicas.length === 1);
    });
    return {
      master,
      replica,
      sentinels,
      settings: {
        mode: 'sentinel',
        urls: sentinels.map(({ url }) => url),
        sentinelName: NAME,
      },
      remove,
    };
  } catch (err) {
    await remove();
    throw err;
  }
}
