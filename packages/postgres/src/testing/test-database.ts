import pg from 'pg';
import { runMigrations } from '../migrations.ts';
import { type Connection, createPool, type Pool } from '../pool.ts';
import { serveDatabase } from '../served-database.ts';
import { leaseDatabase } from './leased-database.ts';
import { createServerDatabase } from './server-database.ts';

const PATIENCE_MS = 60_000;

export interface TestDatabase {
  /** Connects as the application's role, to which row-level security applies. */
  readonly pool: Pool;
  /** Connects a separate pool as the same role. Two pools must not use an embedded database at the same time. */
  readonly connection: Connection;
  /** Connection of the superuser. */
  readonly ownerConnection: Connection;
  /**
   * Runs in a transaction as the superuser, who bypasses all policies, to prepare data for a test or to inspect saved
   * data.
   */
  asOwner<Result>(work: (client: pg.ClientBase) => Promise<Result>): Promise<Result>;
  /** Applies the migrations of a directory that are not applied yet, also while the application is connected. */
  migrate(directory: string): Promise<string[]>;
  /** Closes all connections and removes the database. */
  drop(): Promise<void>;
}

/**
 * A migrated database for one test suite: on the server at TEST_DATABASE_URL (a superuser's login) if set, otherwise
 * embedded and in memory.
 * @param options.migrations absolute path of the directory; they create `role`
 */
export async function createTestDatabase(options: {
  migrations: string;
  role: string;
}): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL
    ? await createDatabase(process.env.TEST_DATABASE_URL, options.migrations)
    : await serveLeasedDatabase(options.migrations);
  const connection = server.connectionAs(options.role);
  const pool = createPool({
    // Long enough that a slow response is not reported as an outage while other tests keep the machine busy
    connection: { ...connection, connectionTimeoutMillis: PATIENCE_MS },
    statementTimeoutMs: PATIENCE_MS,
    ...{ applicationName: 'test', onError: () => undefined },
  });
  const ownerPool = new pg.Pool({ ...server.ownerConnection, max: 1 });
  // Dropping the database may cut a connection that is about to close.
  ownerPool.on('error', () => undefined);

  const asOwner: TestDatabase['asOwner'] = async (work) => {
    const client = await ownerPool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SET LOCAL ROLE NONE'); // embedded, the session has the application's role
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (err) {
      await client.query('ROLLBACK');
      throw err;
    } finally {
      client.release();
    }
  };

  return {
    pool,
    connection,
    ownerConnection: server.ownerConnection,
    asOwner,
    async migrate(directory) {
      // The application's transactions set their role themselves.
      await asOwner((client) => client.query('RESET ROLE'));
      return runMigrations({ connection: server.ownerConnection, directory });
    },
    async drop() {
      await Promise.all([pool.ended ? undefined : pool.end(), ownerPool.end()]);
      await server.close();
    },
  };
}

async function serveLeasedDatabase(migrations: string) {
  const { db, giveBack } = await leaseDatabase(migrations);
  const server = await serveDatabase(db);
  return {
    ...server,
    async close() {
      await server.close();
      await giveBack();
    },
  };
}

async function createDatabase(serverUrl: string, migrations: string) {
  const { url, drop } = await createServerDatabase(serverUrl, migrations);
  return {
    ownerConnection: { connectionString: url },
    // Set when the session starts, so that RESET ROLE does not lead back to the superuser.
    connectionAs: (role: string): Connection => ({ connectionString: url, options: `-c role=${role}` }),
    close: drop,
  };
}
