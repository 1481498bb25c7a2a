import { chmod, mkdir } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';
import { lockDataDir } from './data-dir-lock.ts';
import type { Connection } from './pool.ts';

/** Enough for an application, a migration and a few `psql`; see `connectionAs` for why an application takes one. */
const MAX_CONNECTIONS = 20;

/** As PostgreSQL wants its own: no other user of the machine may read it or write to it. */
const OWNER_ONLY = 0o700;

export interface EmbeddedPostgres {
  /** As the tables' owner, for migrations. */
  readonly ownerConnection: Connection;
  /**
   * As a role that exists. The server has one session for all connections, hence one set of prepared statements: so a
   * pool with it holds a single connection, cleans the session when it opens it, and keeps it open.
   */
  connectionAs(role: string): Connection;
  /** All of it as it is, while nothing is connected. */
  takeSnapshot(): Promise<Blob>;
  close(): Promise<void>;
}

/**
 * PostgreSQL inside this process (PGlite) behind a local socket, so that all else is the same code as with a server. For
 * development and tests: one statement at a time, no password, and `statement_timeout` has no effect.
 * @param options.dataDir directory that keeps the data; without it they are gone with the process
 * @param options.snapshot to begin with, in place of an empty server; several times as fast
 * @param options.engine another load of the same engine
 * @throws {DataDirInUse} when another process has the directory
 * @see docs/adr/0012-embedded-stores.md
 */
export async function startEmbeddedPostgres(
  options: {
    dataDir?: string | undefined;
    snapshot?: Blob | undefined;
    engine?: Pick<typeof PGlite, 'create'>;
  } = {},
): Promise<EmbeddedPostgres> {
  const { dataDir, snapshot, engine = PGlite } = options;
  if (dataDir !== undefined) {
    await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY });
    await chmod(dataDir, OWNER_ONLY); // also where an earlier release made it
  }
  const unlock = dataDir === undefined ? undefined : await lockDataDir(dataDir);
  const db = await engine.create({
    ...(dataDir !== undefined && { dataDir }),
    ...(snapshot && { loadDataDir: snapshot }),
  });
  const server = new PGLiteSocketServer({
    db,
    host: '127.0.0.1',
    port: 0,
    maxConnections: MAX_CONNECTIONS,
  });
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
    takeSnapshot: () => db.dumpDataDir('none'),
    async close() {
      await server.stop();
      await db.close();
      await unlock?.();
    },
  };
}
