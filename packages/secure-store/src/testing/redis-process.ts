import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@legate/service/testing';
import { eventually, START_UP_MS } from '@legate/testing';
import { Redis } from 'ioredis';

/** A redis-server for one test, which may kill, restart and pause it. */
export interface RedisProcess {
  readonly port: number;
  readonly url: string;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, with its data on disk. */
  restart(): Promise<void>;
  /** Pauses the server: connections stay open, and it responds to nothing. */
  pause(): void;
  resume(): void;
  /** Sends one command on a separate connection. */
  ask(command: string, ...args: (string | number)[]): Promise<unknown>;
  /** Ends it, and removes what it stored. */
  remove(): Promise<void>;
}

/** Each node also uses the port of its cluster bus, which is higher by this number. */
const BUS_OFFSET = 10_000;
/** Operating systems use ports from here on for outgoing connections. */
const OUTGOING_PORTS = 32_700;

/**
 * A Redis for one test: at TEST_REDIS_URL, which keeps running, or a new server.
 * @param program the path of redis-server
 */
export async function openRedis(program: string): Promise<Pick<RedisProcess, 'url' | 'remove'>> {
  const url = process.env.TEST_REDIS_URL;
  return url ? { url, remove: async () => undefined } : startRedisProcess(program, ['--save', '']);
}

/** @param args further arguments of the command line, such as `['--appendonly', 'yes']` */
export async function startRedisProcess(
  program: string,
  args: readonly string[] = [],
  ports?: { port: number },
): Promise<RedisProcess> {
  const port = ports?.port ?? (await freeRedisPort());
  const directory = await mkdtemp(join(tmpdir(), 'legate-redis-'));
  const all = [
    ...args, // first: redis-server accepts a configuration file only there
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory],
    ...['--logfile', join(directory, 'server.log')],
  ];
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(program, all, { stdio: 'ignore' });
    child = started;
    children.add(started);
    started.once('exit', () => children.delete(started));
    const answers = async () => {
      if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`);
      return (await ask('PING').catch(() => undefined)) === 'PONG';
    };
    await eventually(`a redis-server at ${port}`, answers, { timeoutMs: START_UP_MS });
  }
  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  async function ask(command: string, ...rest: (string | number)[]): Promise<unknown> {
    const client = new Redis(port, '127.0.0.1', {
      lazyConnect: true,
      retryStrategy: () => null,
      enableReadyCheck: false,
      commandTimeout: 2000,
    });
    client.on('error', () => undefined); // the command rejects with the same error
    try {
      await client.connect();
      return await client.call(command, ...rest);
    } finally {
      client.disconnect();
    }
  }

  await start().catch(async (err: unknown) => {
    await kill();
    throw err;
  });
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    restart: start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    ask,
    async remove() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Kills all servers when the process ends, so that an aborted test leaves none running. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Includes the port of its cluster bus. */
export const freeRedisPort = (): Promise<number> =>
  findFreePort({ offsets: [BUS_OFFSET], below: OUTGOING_PORTS - BUS_OFFSET });
