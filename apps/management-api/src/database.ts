import { fileURLToPath } from 'node:url';
import { type Connection, createPool, type MigrationLog, type Pool, runMigrations } from '@legate/postgres';

/** The role that row-level security binds; made by the first migration. */
export const APPLICATION_ROLE = 'mgmt_app';

/** Beside `src` and `dist`, and so found from both. */
export const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

export interface Database {
  readonly pool: Pool;
  close(): Promise<void>;
}

/**
 * Migrates the database and gives a pool on it; the embedded one where no URL is given.
 * @throws {Error} the database cannot be reached or migrated: a service with an older schema must not serve
 */
export async function openDatabase(options: {
  url: string | undefined;
  migrationUrl: string | undefined;
  dataDir: string;
  poolSize: number;
  log: MigrationLog;
  onError: (err: Error) => void;
}): Promise<Database> {
  const server = options.url === undefined ? await openEmbedded(options.dataDir) : remote(options.url);
  const owner =
    options.migrationUrl === undefined ? server.owner : { connectionString: options.migrationUrl };
  await runMigrations({ connection: owner, directory: MIGRATIONS, log: options.log });
  const pool = createPool({
    connection: server.application,
    applicationName: 'management-api',
    max: options.poolSize,
    onError: options.onError,
  });
  return {
    pool,
    async close() {
      await pool.end();
      await server.close();
    },
  };
}

interface Server {
  readonly owner: Connection;
  readonly application: Connection;
  close(): Promise<void>;
}

function remote(connectionString: string): Server {
  return { owner: { connectionString }, application: { connectionString }, close: async () => undefined };
}

/** Loaded when needed only: a database engine is no small thing to read at the start of a service that has a server. */
async function openEmbedded(dataDir: string): Promise<Server> {
  const { startEmbeddedPostgres } = await import('@legate/postgres/embedded');
  const embedded = await startEmbeddedPostgres({ dataDir });
  return {
    owner: embedded.ownerConnection,
    application: embedded.connectionAs(APPLICATION_ROLE),
    close: embedded.close,
  };
}
