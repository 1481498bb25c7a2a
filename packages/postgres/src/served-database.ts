import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';
import type { Connection } from './pool.ts';

/**
 * Maximum number of connections: enough for an application, a migration and a few `psql`. `connectionAs` explains why
 * an application uses only one.
 */
const MAX_CONNECTIONS = 20;

export interface ServedDatabase {
  /** Connects as the tables' owner, for migrations. */
  readonly ownerConnection: Connection;
  /**
   * Returns a connection as an existing role. The server has one session for all connections, hence one set of prepared
   * statements, so the connection's pool holds a single connection, resets the session when it opens it, and keeps it open.
   */
  connectionAs(role: string): Connection;
  close(): Promise<void>;
}

/** Serves an embedded database on a local socket until it is closed. */
export async function serveDatabase(db: PGlite): Promise<ServedDatabase> {
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: MAX_CONNECTIONS });
  await server.start();
  const { hostname: host, port } = new URL(`tcp://${server.getServerConn()}`);
  const ownerConnection = { host, port: Number(port), user: 'postgres', database: 'postgres', ssl: false };
  return {
    ownerConnection,
    connectionAs: (role) => ({
      ...ownerConnection,
      max: 1,
      idleTimeoutMillis: 0,
      async onConnect(client: pg.ClientBase) {
        await client.query('DISCARD ALL');
        await client.query(`SET ROLE ${pg.escapeIdentifier(role)}`);
      },
    }),
    close: () => server.stop(),
  };
}
