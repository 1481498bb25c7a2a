import pg from 'pg';
import { DatabaseUnavailable } from './errors.ts';

/** SQLSTATE codes with which a server refuses a connection */
const REFUSALS: Readonly<Record<string, (to: Target) => string>> = {
  '28P01': ({ user }) => `the server refuses the password of the user ${user}`,
  '28000': ({ user }) =>
    `the server does not let the user ${user} in (no such role, or no rule in pg_hba.conf)`,
  '3D000': ({ database }) => `the server has no database ${database}`,
  '42501': ({ user, database }) => `the user ${user} may not connect to the database ${database}`,
  '53300': () => 'the server has no connection left (max_connections)',
  '57P03': () => 'the server is starting, stopping or recovering',
};

/** Node.js error codes for a connection that cannot be established */
const NO_CONNECTION: Readonly<Record<string, (to: Target) => string>> = {
  ECONNREFUSED: ({ host }) => `nothing accepts connections at ${host}`,
  ENOTFOUND: ({ host }) => `the host name of ${host} is unknown`,
  EAI_AGAIN: ({ host }) => `the host name of ${host} cannot be resolved at the moment`,
  EHOSTUNREACH: ({ host }) => `there is no route to ${host}`,
  ENETUNREACH: ({ host }) => `there is no route to ${host}`,
  ETIMEDOUT: ({ host }) => `${host} does not answer`,
  ECONNRESET: ({ host }) => `${host} closes the connection`,
};

/** The parts of a connection string, without the password */
interface Target {
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

/**
 * Returns why a connection to PostgreSQL failed, for the operator: in our own words, with the host, user and database
 * of the connection string and never its password. Returns undefined for any other error.
 */
export function connectionFault(err: unknown, connectionString: string): string | undefined {
  const fault = err instanceof DatabaseUnavailable ? err.cause : err;
  if (!(fault instanceof Error)) return undefined;
  const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : '';
  const to = targetOf(connectionString);
  if (fault instanceof pg.DatabaseError)
    return Object.hasOwn(REFUSALS, code) ? REFUSALS[code]?.(to) : undefined;
  if (Object.hasOwn(NO_CONNECTION, code)) return NO_CONNECTION[code]?.(to);
  // Node.js reports certificate errors with these codes. pg has no codes for the following errors.
  if (/CERT|^ERR_TLS|^UNABLE_TO_/.test(code))
    return `the certificate of ${to.host} is not accepted (${code})`;
  if (/does not support SSL/.test(fault.message)) return `${to.host} does not offer TLS`;
  if (/timeout/.test(fault.message)) return `${to.host} does not answer`;
  if (/Connection terminated/.test(fault.message)) return `${to.host} closes the connection`;
  return undefined;
}

function targetOf(connectionString: string): Target {
  const url = new URL(connectionString);
  const user = decodeURIComponent(url.username);
  return {
    host: `${url.hostname}:${url.port || '5432'}`,
    user,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
  };
}
