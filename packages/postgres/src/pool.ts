import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';

export type Pool = pg.Pool;
/** How to connect: a connection string, or the options of the embedded server. */
export type Connection = Readonly<pg.PoolConfig>;

/** Returns the number of connections, and of requests that wait for one. */
export const poolState = ({ totalCount, idleCount, waitingCount }: Pool) => ({
  used: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});

/**
 * A pool whose statements are limited in time and may be sent without waiting for each other's answers. Connections are
 * made when first needed, so a database that is down does not stop a service from starting.
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
    // A server that is gone without a word ends no statement: then we do, a little later.
    query_timeout: statementTimeoutMs + 1000,
    idle_in_transaction_session_timeout: statementTimeoutMs * 2,
    ...options.connection,
  });
  pool.on('error', AsyncResource.bind(options.onError)); // not within the request that opened the connection
  // The pool listens to idle connections only. One that is lost while in use would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined); // the running statement rejects with the same error
  });
  return pool;
}
