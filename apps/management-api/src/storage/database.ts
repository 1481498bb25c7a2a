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
import { loginFault } from './login-fault.ts';

/** The role to which row-level security applies; created by the first migration. */
export const APPLICATION_ROLE = 'mgmt_app';

/** Directory beside `src` and `dist`, so that the code in both finds it. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

export interface DatabaseAddress {
  /** undefined: the embedded database */
  readonly url: string | undefined;
  /** Login of the tables' owner; undefined: the login in `url` */
  readonly migrationUrl: string | undefined;
  readonly dataDir: string;
}

/**
 * Opens a pool on the database (the embedded one without a URL), once its schema matches this code.
 * @param options.migrate true migrates the database; otherwise it must have been migrated
 * @param options.checkLogin refuses a login that row-level security does not bind
 * @throws {SchemaTooOld}
 * @throws {ConfigError} the database cannot be reached, or its login is refused, with the reason
 * @throws {Error} the migration failed: a service must not run with an older schema
 */
export async function openDatabase(
  options: DatabaseAddress & {
    migrate: boolean;
    checkLogin?: boolean;
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
    const mayOwn = options.migrate && options.migrationUrl === undefined;
    const fault = options.checkLogin ? await loginFault(tenants, { mayOwn }) : undefined;
    if (fault !== undefined) throw new ConfigError([`DATABASE_URL: ${fault}`]);
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
 * Opens one connection as the owner of the tables, for actions that the application's role may not take. The
 * policies apply to the owner too.
 * @throws {SchemaTooOld}
 * @throws {ConfigError} the database cannot be reached, with the reason
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
  const tenants = createTenantDatabase(pool, { role: 'none' }); // uses the role of the login
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
 * Runs `connect`, and explains why a connection failed.
 * @param setting URL of the connection by the name of its setting; undefined: the database is embedded
 * @throws {ConfigError} the connection failed; the error names the setting and the cause, and no secret
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
