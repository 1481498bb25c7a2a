import { execFile as execFileCallback, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chown, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { freePort } from './target.ts';

const execFile = promisify(execFileCallback);
const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const START_TIMEOUT_MS = 20_000;
const NEEDS_REDIS = 'needs Redis: install it, or set BENCH_REDIS_URL';
const NEEDS_BOTH = 'needs PostgreSQL and Redis: install them, or set BENCH_DATABASE_URL and BENCH_REDIS_URL';

export interface RedisServer {
  readonly redisUrl: string;
  stop(): Promise<void>;
}

export interface Servers extends RedisServer {
  /** A superuser's login */
  readonly databaseUrl: string;
}

/**
 * The PostgreSQL and Redis at `BENCH_DATABASE_URL` (a superuser's login) and `BENCH_REDIS_URL`; where one is not set, a
 * private server of this run, from the programs that are installed.
 * @throws {Error} a program is missing
 */
export const openServers = (env: NodeJS.ProcessEnv): Promise<Servers> =>
  open(NEEDS_BOTH, async (start) => ({
    databaseUrl: env.BENCH_DATABASE_URL ?? (await start(startPostgres)),
    redisUrl: env.BENCH_REDIS_URL ?? (await start(startRedis)),
  }));

/** Opens the Redis of {@link openServers} alone. */
export const openRedis = (env: NodeJS.ProcessEnv): Promise<RedisServer> =>
  open(NEEDS_REDIS, async (start) => ({ redisUrl: env.BENCH_REDIS_URL ?? (await start(startRedis)) }));

/** Starts a server with its files in the directory. */
type Start = (directory: string) => Promise<{ url: string; stop: () => Promise<void> }>;

async function open<Urls>(
  needed: string,
  openAll: (start: (server: Start) => Promise<string>) => Promise<Urls>,
): Promise<Urls & { stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'legate-bench-stores-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove); // the benchmark was interrupted
  const stops: (() => Promise<void>)[] = [
    async () => {
      process.off('exit', remove);
      remove();
    },
  ];
  const stop = async () => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const urls = await openAll(async (server) => {
      const started = await server(directory);
      stops.push(started.stop);
      return started.url;
    });
    return { ...urls, stop };
  } catch (err) {
    await stop();
    throw new Error(needed, { cause: err });
  }
}

async function startPostgres(directory: string) {
  const bin = await findPostgres();
  const user = await unprivilegedUser();
  const port = await freePort();
  if (user) await chown(directory, user.uid, user.gid);
  const data = join(directory, 'postgres');
  await execFile(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], {
    cwd: directory,
    ...user,
  });
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  // SIGINT stops the server without waiting for clients to disconnect.
  const server = startServer(join(bin, 'postgres'), args, 'SIGINT', { cwd: directory, ...user });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilAnswered(server, async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.end();
  });
  return { url, stop: server.stop };
}

async function startRedis(directory: string) {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = startServer('redis-server', args, 'SIGTERM', { cwd: directory });
  await untilAnswered(server, async () => {
    const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => undefined); // the command rejects with the same error
    await redis.connect();
    redis.disconnect();
  });
  return { url: `redis://127.0.0.1:${port}`, stop: server.stop };
}

/** Returns the newest version that Debian has installed, otherwise the one in PATH. */
async function findPostgres(): Promise<string> {
  const versions = await readdir(POSTGRES_VERSIONS).catch(() => []);
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  if (newest !== undefined) return join(POSTGRES_VERSIONS, String(newest), 'bin');
  return (await execFile('pg_config', ['--bindir'])).stdout.trim();
}

/** PostgreSQL refuses to run as root, so root runs it as its own user. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (flag: string) => Number((await execFile('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

interface RunningServer {
  hasEnded(): boolean;
  stop(): Promise<void>;
}

function startServer(
  file: string,
  args: readonly string[],
  signal: NodeJS.Signals,
  options: { cwd: string; uid?: number; gid?: number },
): RunningServer {
  const child = spawn(file, args, { stdio: 'ignore', ...options });
  const kill = () => child.kill('SIGKILL');
  process.prependOnceListener('exit', kill); // before its files are removed
  let isRunning = true;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      isRunning = false;
      process.off('exit', kill);
      resolve();
    };
    child.once('exit', end).once('error', end); // `error` if the program does not exist
  });
  return {
    hasEnded: () => !isRunning,
    async stop() {
      child.kill(signal);
      await ended;
    },
  };
}

async function untilAnswered(server: RunningServer, ask: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await ask();
    } catch (err) {
      if (server.hasEnded() || performance.now() > deadline) {
        await server.stop();
        throw err;
      }
      await sleep(100);
    }
  }
}
