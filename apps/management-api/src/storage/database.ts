import { fileURLToPath } from 'node:url';
import {
  type Connection,
  connectionFault,
  createPool,
  createTenantDatabase,
  type MigrationLog,
  requireMigrations,
  runMigrations,
} from '@legate/postgres';
import { ConfigError } from '@legate/service';

/** The role that row-level security binds; made by the first migration. */
export const APPLICATION_ROLE = 'mgmt_app';

/** Next to `src` and `dist`, so that both find it. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

export interface DatabaseAddress {
  /** undefined: the embedded one */
  readonly url: string | undefined;
  /** Login of the tables' owner; undefined: that of `url` */
  readonly migrationUrl: string | undefined;
  readonly dataDir: string;
}

/**
 * Opens a pool on the database (embedded without a URL), once its schema matches this code.
 * @param options.migrate true migrates it; otherwise it must have been migrated
 * @throws {SchemaTooOld}
 * @throws {ConfigError} the database cannot be reached, and why
 * @throws {Error} the migration failed: a service with an older schema must not serve
 */
export async function openDatabase(
  options: DatabaseAddress & {
    migrate: boolean;
    replicaUrl?: string | undefined;
    poolSize: number;
    log: MigrationLog;
    onError: (err: Error) => void;
  },
) {
  const server = await reach(options);
  if (options.migrate) {
    await namingCause(
      options.migrationUrl === undefined
        ? { DATABASE_URL: options.url }
        : { MIGRATION_DATABASE_URL: options.migrationUrl },
      () => runMigrations({ connection: server.owner, directory: MIGRATIONS, log: options.log }),
    );
  }
  const openPool = (connection: Connection) =>
    createPool({
      connection,
      applicationName: 'management-api',
      max: options.poolSize,
      onError: options.onError,
    });
  const pool = openPool(server.application);
  await namingCause({ DATABASE_URL: options.url }, async () => {
    const tenants = createTenantDatabase(pool, { role: APPLICATION_ROLE });
    if (options.migrate) await tenants.ping();
    else await requireMigrations(tenants, MIGRATIONS);
  });
  const { replicaUrl } = options;
  const replica = replicaUrl === undefined ? undefined : openPool({ connectionString: replicaUrl });
  return {
    pool,
    replica,
    async close() {
      await Promise.all([pool.end(), replica?.end()]);
      await server.close();
    },
  };
}

/**
 * Opens one connection as the owner of the tables, for what the application's role may not do. The policies bind it too.
 * @throws {SchemaTooOld}
 * @throws {ConfigError} the database cannot be reached, and why
 */
export async function openAsOwner(options: DatabaseAddress & { onError: (err: Error) => void }) {
  const server = await reach(options);
  const { owner: connection } = server;
  const pool = createPool({
    connection,
    applicationName: 'management-api',
    max: 1,
    onError: options.onError,
  });
  const tenants = createTenantDatabase(pool, { role: 'none' }); // that of the login
  const setting = options.migrationUrl === undefined ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL';
  await namingCause({ [setting]: options.migrationUrl ?? options.url }, () =>
    requireMigrations(tenants, MIGRATIONS),
  );
  return {
    tenants,
    async close() {
      await pool.end();
      await server.close();
    },
  };
}

/**
 * Runs the first work with a connection.
 * @param setting the one that the connection comes from, by its name; undefined: the database is embedded
 * @throws {ConfigError} there is no connection; it names the setting and the cause, and no secret
 */
async function namingCause(
  setting: Readonly<Record<string, string | undefined>>,
  connect: () => Promise<unknown>,
): Promise<void> {
  try {
    await connect();
  } catch (err) {
    for (const [name, url] of Object.entries(setting)) {
      const fault = url === undefined ? undefined : connectionFault(err, url);
      if (fault !== undefined) throw new ConfigError([`${name}: ${fault}`]);
    }
    throw err;
  }
}

/** @returns the names of the migrations that were applied */
export async function migrateDatabase(options: DatabaseAddress & { log: MigrationLog }): Promise<string[]> {
  const server = await reach(options);
  try {
    return await runMigrations({ connection: server.owner, directory: MIGRATIONS, log: options.log });
  } finally {
    await server.close();
  }
}

interface Server {
  readonly owner: Connection;
  readonly application: Connection;
  close(): Promise<void>;
}

async function reach({ url, migrationUrl, dataDir }: DatabaseAddress): Promise<Server> {
  const server = url === undefined ? await openEmbedded(dataDir) : remote(url);
  return migrationUrl === undefined ? server : { ...server, owner: { connectionString: migrationUrl } };
}

function remote(connectionString: string): Server {
  return { owner: { connectionString }, application: { connectionString }, close: async () => undefined };
}

/** Loaded only when needed: a database engine would slow the start of a service that uses a server. */
async function openEmbedded(dataDir: string): Promise<Server> {
  const { startEmbeddedPostgres } = await import('@legate/postgres/embedded');
  const embedded = await startEmbeddedPostgres({ dataDir });
  return {
    owner: embedded.ownerConnection,
    application: embedded.connectionAs(APPLICATION_ROLE),
    close: embedded.close,
  };
}
