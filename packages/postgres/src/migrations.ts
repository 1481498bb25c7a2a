import { runner } from 'node-pg-migrate';
import type { Connection } from './pool.ts';

export interface MigrationLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

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
    databaseUrl: options.connection,
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
