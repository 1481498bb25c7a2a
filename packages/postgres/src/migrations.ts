import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { DatabaseUnavailable } from './errors.ts';
import type { Connection } from './pool.ts';
import type { TenantDatabase } from './tenant-database.ts';

export interface MigrationLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const CONNECTION_TIMEOUT_MS = 10_000;

/** The schema lacks a migration that the application was written for. */
export class SchemaTooOld extends Error {
  override readonly name = 'SchemaTooOld';
  constructor(readonly migration: string) {
    super(`the database lacks the migration ${migration}`);
  }
}

/** lock_not_available and deadlock_detected: nothing is wrong with the migration, it met somebody at work. */
const IN_THE_WAY: readonly unknown[] = ['55P03', '40P01'];
const ATTEMPTS = 30;
const MAX_PAUSE_MS = 500;

/**
 * Brings the schema up to date: the `.sql` files of a directory in the order of their names, each once, each in a
 * transaction of its own, so that it holds no lock for the next one. Processes that start at the same time wait for each
 * other on an advisory lock. One that does not get its locks in the time that it sets itself is tried again. A schema that
 * is newer than the directory is left as it is.
 * @param options.connection of the tables' owner
 * @param options.directory absolute path
 * @returns the names of those that were applied
 */
export async function runMigrations(options: {
  connection: Connection;
  directory: string;
  log?: MigrationLog;
}): Promise<string[]> {
  const { connection, directory, log } = options;
  // A server that takes the connection and says nothing must not hold a start for ever.
  const client = new pg.Client({ connectionTimeoutMillis: CONNECTION_TIMEOUT_MS, ...connection });
  client.on('error', () => undefined); // what it is running rejects with the same error
  const applied: string[] = [];
  try {
    await client.connect();
    for (let attempt = 1; ; ) {
      try {
        const [next] = await applyNext(client, directory, log);
        if (!next) return applied;
        applied.push(next.name);
        attempt = 1;
      } catch (err) {
        const isInTheWay = err instanceof pg.DatabaseError && IN_THE_WAY.includes(err.code);
        if (!isInTheWay || attempt >= ATTEMPTS) throw err;
        attempt += 1;
        log?.warn(`${err.message}: once more`);
        await delay(Math.random() * MAX_PAUSE_MS);
      }
    }
  } finally {
    await client.end();
  }
}

const applyNext = (client: pg.Client, directory: string, log: MigrationLog | undefined) =>
  runner({
    dbClient: client,
    dir: directory,
    direction: 'up',
    count: 1,
    migrationsTable: 'schema_migrations',
    singleTransaction: true,
    advisoryLockMode: 'wait',
    checkOrder: true,
    logger: {
      info: (message) => log?.info(message),
      warn: (message) => log?.warn(message),
      error: (message) => log?.error(message),
    },
  });

/**
 * undefined_table; insufficient_privilege, of a schema from before the application was let see the list;
 * invalid_parameter_value, where even its role does not exist
 */
const NO_LIST: readonly unknown[] = ['42P01', '42501', '22023'];

/**
 * For an application that does not migrate: passes a schema that has all migrations of the directory, also one that has
 * more. The application's role must be allowed to read `schema_migrations`.
 * @throws {SchemaTooOld} with the first one that is missing, or the last one where the list cannot be read
 * @throws {DatabaseUnavailable}
 */
export async function requireMigrations(tenants: TenantDatabase, directory: string): Promise<void> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  const known = files.map((file) => basename(file, '.sql'));
  const applied = await tenants
    .queryAsTenant<{ name: string }>('', {
      name: 'schema_migrations',
      text: 'SELECT name FROM schema_migrations',
    })
    .catch((err: unknown) => {
      const fault = err instanceof DatabaseUnavailable ? err.cause : err;
      if (fault instanceof pg.DatabaseError && NO_LIST.includes(fault.code)) return undefined;
      throw err;
    });
  const names = new Set(applied?.map(({ name }) => name));
  const missing = applied ? known.find((name) => !names.has(name)) : known.at(-1);
  if (missing !== undefined) throw new SchemaTooOld(missing);
}
