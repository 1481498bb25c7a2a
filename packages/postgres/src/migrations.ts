import { runner } from 'node-pg-migrate';
import type { Connection } from './pool.ts';

export interface MigrationLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * Brings the schema up to date: the `.sql` files of a directory in the order of their names, each once, all in one
 * transaction. Processes that start at the same time wait for each other on an advisory lock.
 * @param options.connection of the tables' owner
 * @param options.directory absolute path
 */
export async function runMigrations(options: {
  connection: Connection;
  directory: string;
  log?: MigrationLog;
}): Promise<void> {
  const { log } = options;
  await runner({
    // A server that takes the connection and says nothing must not hold a start for ever.
    databaseUrl: { connectionTimeoutMillis: CONNECTION_TIMEOUT_MS, ...options.connection },
    dir: options.directory,
    direction: 'up',
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
