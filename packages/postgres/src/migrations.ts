import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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

/** The schema lacks a migration that the application requires. */
export class SchemaTooOld extends Error {
  override readonly name = 'SchemaTooOld';
  constructor(readonly migration: string) {
    super(`the database lacks the migration ${migration}`);
  }
}

/** The database has migrations, but not the application's first one. */
export class SchemaOfDevelopment extends Error {
  override readonly name = 'SchemaOfDevelopment';
  constructor() {
    super('this database was made by a development version before 0.1: create a new one');
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
 * @returns the names of the applied migrations
 * @throws {SchemaOfDevelopment}
 */
export async function runMigrations(options: {
  connection: Connection;
  directory: string;
  log?: MigrationLog;
}): Promise<string[]> {
  const { connection, directory, log } = options;
  // A server that accepts the connection but never responds must not block the start.
  const client = new pg.Client({ connectionTimeoutMillis: CONNECTION_TIMEOUT_MS, ...connection });
  client.on('error', () => undefined); // the running query rejects with the same error
  const applied: string[] = [];
  try {
    await client.connect();
    const [known, before] = [await namesOf(directory), await appliedTo(client)];
    refuseOther(before, known);
    if (known.every((name) => before.has(name))) return applied;
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

async function applyNext(client: pg.Client, directory: string, log: MigrationLog | undefined) {
  // Loaded only where there is something to apply: it takes 4 MB, and a tenth of the service's start.
  const { runner } = await import('node-pg-migrate');
  return runner({
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
}

const namesOf = async (directory: string): Promise<string[]> =>
  (await readdir(directory))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => basename(file, '.sql'));

const LIST = 'SELECT name FROM schema_migrations';
/**
 * undefined_table; insufficient_privilege, before the first migration lets the application read the list;
 * invalid_parameter_value, if the application's role does not exist
 */
const NO_LIST: readonly unknown[] = ['42P01', '42501', '22023'];
const isNoList = (err: unknown): boolean => err instanceof pg.DatabaseError && NO_LIST.includes(err.code);

const appliedTo = async (client: pg.Client): Promise<ReadonlySet<string>> => {
  const { rows } = await client.query<{ name: string }>(LIST).catch((err: unknown) => {
    if (isNoList(err)) return { rows: [] };
    throw err;
  });
  return new Set(rows.map(({ name }) => name));
};

/** @throws {SchemaOfDevelopment} */
function refuseOther(applied: ReadonlySet<string>, [first]: readonly string[]): void {
  if (applied.size > 0 && first !== undefined && !applied.has(first)) throw new SchemaOfDevelopment();
}

/**
 * Checks, for an application that does not migrate, that the schema has at least all migrations of the directory. The
 * application's role must be allowed to read `schema_migrations`.
 * @throws {SchemaTooOld} with the first missing migration
 * @throws {SchemaOfDevelopment}
 * @throws {DatabaseUnavailable}
 */
export async function requireMigrations(tenants: TenantDatabase, directory: string): Promise<void> {
  const known = await namesOf(directory);
  const rows = await tenants
    .queryAsTenant<{ name: string }>('', { name: 'schema_migrations', text: LIST })
    .catch((err: unknown) => {
      if (isNoList(err instanceof DatabaseUnavailable ? err.cause : err)) return [];
      throw err;
    });
  const applied = new Set(rows.map(({ name }) => name));
  refuseOther(applied, known);
  const missing = known.find((name) => !applied.has(name));
  if (missing !== undefined) throw new SchemaTooOld(missing);
}
