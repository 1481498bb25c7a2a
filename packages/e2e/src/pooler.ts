import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@legate/service/testing';
import { untilListening } from './postgres-process.ts';

/** The PgBouncer settings for operators; `docs/operations/production.md` has the same lines. */
export const POOLER_SETTINGS = {
  pool_mode: 'transaction',
  max_prepared_statements: '200',
  ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout',
};

export interface Pooler {
  /** The database's URL, by way of the pooler */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a PgBouncer in front of a database.
 * @param options.program path of `pgbouncer`
 * @param options.url of the database, with a login that needs no password
 * @param options.connections number of connections that it opens to the server
 */
export async function startPooler(options: {
  program: string;
  url: string;
  connections: number;
}): Promise<Pooler> {
  const { hostname, port: databasePort, pathname, username } = new URL(options.url);
  const directory = await mkdtemp(join(tmpdir(), 'legate-pooler-'));
  const port = await findFreePort();
  const settings = {
    ...POOLER_SETTINGS,
    default_pool_size: options.connections,
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(directory, 'users.txt'),
  };
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(settings.auth_file, `"${username}" ""\n`);
  await writeFile(
    file,
    [
      '[databases]',
      `${pathname.slice(1)} = host=${hostname} port=${databasePort}`,
      '[pgbouncer]',
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
    ].join('\n'),
  );
  // PgBouncer refuses to run as root.
  await chmod(directory, 0o755);
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child: ChildProcess = spawn(options.program, [...asNobody, file], { stdio: 'ignore' });
  await untilListening(port, child);
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    async stop() {
      const stopped = once(child, 'exit');
      child.kill('SIGINT');
      await stopped;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
