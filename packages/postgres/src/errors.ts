import pg from 'pg';

/** The database cannot be used at the moment; nothing is known about what was asked of it. The caller may try again. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  constructor(cause: unknown) {
    super('the database is not available', { cause });
  }
}

/** An organization uses all connections that it may have, and none of them became free in time. */
export class ConnectionShareExceeded extends DatabaseUnavailable {
  constructor() {
    super(new Error('the organization uses its share of the connections'));
  }
}

/**
 * SQLSTATE classes in which the server is at fault, not the statement: 08 connection, 53 insufficient resources,
 * 57 operator intervention (shutdown, statement time-out), 58 system error.
 */
const OUTAGE_CLASSES: readonly string[] = ['08', '53', '57', '58'];

/**
 * Errors of the server about a statement pass unchanged; a lost or hanging connection, which pg reports as plain errors
 * without a code, becomes an outage.
 */
export function fromDriver(err: unknown): unknown {
  if (err instanceof pg.DatabaseError) {
    return OUTAGE_CLASSES.includes(err.code?.slice(0, 2) ?? '') ? new DatabaseUnavailable(err) : err;
  }
  return err instanceof TypeError ? err : new DatabaseUnavailable(err);
}
