import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isListening } from '@legate/dev';
import { createServerDatabase } from '@legate/postgres/testing';
import { findFreePort } from '@legate/service/testing';
import { eventually, START_UP_MS } from '@legate/testing';
import { Client, DatabaseError } from 'pg';

const run = promisify(execFile);

/** A PostgreSQL server for one test, which may stop, restart and pause it. */
export interface PostgresProcess {
  readonly url: string;
  start(): Promise<void>;
  /** Stops the server: connections are cut, and new ones are refused. */
  stop(): Promise<void>;
  /** Pauses the server: connections stay open without responses, as with a hanging network or disk. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Stops it and removes what it stored. */
  remove(): Promise<void>;
}

/**
 * Opens a database for one test: on TEST_DATABASE_URL, or on a new server.
 * @param programs the folder of `initdb` and `postgres`
 */
export async function openPostgres(
  programs: string,
): Promise<Pick<PostgresProcess, 'url' | 'start' | 'remove'>> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return createPostgresServer(programs);
  const { url, drop } = await createServerDatabase(server);
  return { url, start: async () => undefined, remove: drop };
}

/** @param programs the folder of `initdb` and `postgres` */
export async function createPostgresServer(programs: string): Promise<PostgresProcess> {
  const port = await findFreePort();
  const directory = await mkdtemp(join(tmpdir(), 'legate-postgres-'));
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? await idsOf('postgres') : undefined;
  if (user) await chown(directory, user.uid, user.gid);
  await chmod(directory, 0o700);
  const data = join(directory, 'data');
  await run(`${programs}/initdb`, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], {
    cwd: directory,
    ...user,
  });
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=50'];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  let child: ChildProcess | undefined;

  async function signalAll(signal: NodeJS.Signals): Promise<void> {
    if (child?.pid === undefined) throw new Error('the server is not running');
    // Each connection has its own process.
    const { stdout } = await run('pgrep', ['-P', String(child.pid)]).catch(() => ({ stdout: '' }));
    for (const pid of [child.pid, ...stdout.split('\n').filter(Boolean).map(Number)])
      process.kill(pid, signal);
  }

  async function stop(): Promise<void> {
    if (!child) return;
    const stopped = once(child, 'exit');
    child.kill('SIGINT'); // the fast shutdown; SIGTERM would wait for the clients
    await stopped;
    child = undefined;
  }

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    async start() {
      child = spawn(`${programs}/postgres`, args, { stdio: 'ignore', cwd: directory, ...user });
      await untilListening(port, child);
      await untilAccepting(url);
    },
    stop,
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async remove() {
      if (child) await signalAll('SIGCONT');
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const look = () => {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    return isListening(port);
  };
  await eventually(`a server at port ${port}`, look, { timeoutMs: START_UP_MS });
}

const CANNOT_CONNECT_NOW = '57P03';

/** Waits until the server has started: it listens before that. */
async function untilAccepting(url: string): Promise<void> {
  const look = async () => {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (err) {
      if (err instanceof DatabaseError && err.code === CANNOT_CONNECT_NOW) return false;
      throw err;
    }
  };
  await eventually(`PostgreSQL to accept connections at ${url}`, look, { timeoutMs: START_UP_MS });
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const idOf = async (flag: string) => Number((await run('id', [flag, user])).stdout);
  const [uid, gid] = [await idOf('-u'), await idOf('-g')];
  if (!uid || !gid) throw new Error(`there is no user ${user}`);
  return { uid, gid };
}
