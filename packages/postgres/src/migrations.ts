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

/** lock_not_available and deadlock_detected: the migration is fine, but another session holds a lock. */
const IN_THE_WAY: readonly unknown[] = ['55P03', '40P01'];
const ATTEMPTS = 30;
const MAX_PAUSE_MS = 500;

/**
 * Brings the schema up to date: runs each `.sql` file of a directory once, in the order of their names, each in its own
 * transaction, so that it holds no lock during the next one. Processes that start together wait for each other on an
 * advisory lock. A migration that does not get its locks within its own time limit is retried. A schema newer than the
 * directory is left alone.
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
  // A server that accepts the connection but never answers must not block the start.
  const client = new pg.Client({ connectionTimeoutMillis: CONNECTION_TIMEOUT_MS, ...connection });
  client.on('error', () => undefined); // the running query rejects with the same error
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
 * For an application that does not migrate: accepts a schema that has at least all migrations of the directory. The
 * application's role must be allowed to read `schema_migrations`.
 * @throws {SchemaTooOld} with the first missing one, or the last one if the list cannot be read
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
