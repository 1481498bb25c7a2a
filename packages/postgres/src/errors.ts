import pg from 'pg';

/** The database cannot be used at the moment. The outcome of the statement is unknown. The caller may try again. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  constructor(cause: unknown) {
    super('the database is not available', { cause });
  }
}

/** An organization uses all connections that it may have, and none became free in time. */
export class ConnectionShareExceeded extends DatabaseUnavailable {
  constructor() {
    super(new Error('the organization uses its share of the connections'));
  }
}

/**
 * SQLSTATE classes of errors that the server causes, not the statement: 08 connection, 53 insufficient resources, 57
 * operator intervention (shutdown, statement time-out), 58 system error.
 */
const OUTAGE_CLASSES: readonly string[] = ['08', '53', '57', '58'];

/**
 * Returns the server's errors about a statement unchanged. Errors of a lost or hanging connection, which pg reports
 * without a code, become `DatabaseUnavailable`.
 */
export function fromDriver(err: unknown): unknown {
  if (err instanceof pg.DatabaseError) {
    return OUTAGE_CLASSES.includes(err.code?.slice(0, 2) ?? '') ? new DatabaseUnavailable(err) : err;
  }
  return err instanceof TypeError ? err : new DatabaseUnavailable(err);
}
