import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';

export type Pool = pg.Pool;
/** A connection string, or the connection options of the embedded server. */
export type Connection = Readonly<pg.PoolConfig>;

/** Returns the number of connections, and the number of requests that wait for one. */
export const poolState = ({ totalCount, idleCount, waitingCount }: Pool) => ({
  used: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});

/**
 * Creates a pool whose statements have a time limit and may be sent without waiting for earlier results (pipelining).
 * Connections are opened when first needed, so a service can start while its database is down.
 * @param options.max connections, default 10
 * @param options.statementTimeoutMs default 5000
 * @param options.onError called when an idle connection is lost; the pool replaces it
 */
export function createPool(options: {
  connection: Connection;
  applicationName: string;
  onError: (err: Error) => void;
  max?: number;
  statementTimeoutMs?: number;
}): Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? 5000;
  const pool = new pg.Pool({
    application_name: options.applicationName,
    max: options.max ?? 10,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: 2000,
    statement_timeout: statementTimeoutMs,
    // A server that disappeared without closing the connection does not end a statement. Then the client ends it, a
    // little later.
    query_timeout: statementTimeoutMs + 1000,
    idle_in_transaction_session_timeout: statementTimeoutMs * 2,
    ...options.connection,
  });
  pool.on('error', AsyncResource.bind(options.onError)); // runs outside of the request that opened the connection
  // The pool handles errors of idle connections only. Without this handler, a connection that is lost while in use
  // would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined); // the running statement rejects with the same error
  });
  return pool;
}
