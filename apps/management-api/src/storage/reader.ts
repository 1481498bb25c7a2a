import { ConnectionShareExceeded, DatabaseUnavailable, type TenantDatabase } from '@legate/postgres';

/** Reads data that may be slightly stale, since no change depends on it. */
export type TenantReader = Pick<TenantDatabase, 'queryAsTenant'>;

/** Meanwhile no request waits for a replica that did not respond. */
const AWAY_MS = 10_000;

/**
 * Reads from a replica, which has the roles and policies of the primary, and from the primary if that fails: it may be
 * down, lack a migration, or have cancelled the statement because of replay.
 * @param deps.onAway called for each outage, at most every ten seconds
 */
export function createReader(deps: {
  primary: TenantReader;
  replica: TenantReader;
  clock: () => Date;
  onAway: (err: unknown) => void;
}): TenantReader {
  const { primary, replica, clock, onAway } = deps;
  let awayUntil = 0;
  return {
    async queryAsTenant<Row>(...query: Parameters<TenantReader['queryAsTenant']>) {
      if (clock().getTime() < awayUntil) return primary.queryAsTenant<Row>(...query);
      try {
        return await replica.queryAsTenant<Row>(...query);
      } catch (err) {
        // It would take as long there; and one organization's dear searches must not send the reads of all to the primary.
        if (isOutOfTime(err) || err instanceof ConnectionShareExceeded) throw err;
        if (err instanceof DatabaseUnavailable) {
          awayUntil = clock().getTime() + AWAY_MS;
          onAway(err);
        }
        // The primary reports the statement's own faults too.
        return primary.queryAsTenant<Row>(...query);
      }
    },
  };
}

/** query_canceled: the statement's time limit. Cancellations because of replay are a serialization_failure. */
const isOutOfTime = (err: unknown): boolean =>
  err instanceof DatabaseUnavailable &&
  err.cause instanceof Error &&
  'code' in err.cause &&
  err.cause.code === '57014';
