import { ConnectionShareExceeded, DatabaseUnavailable, type TenantDatabase } from '@legate/postgres';

/** Reads data that may be slightly out of date, since no change depends on it. */
export type TenantReader = Pick<TenantDatabase, 'queryAsTenant'>;

/** Time without reads from a replica that did not respond, so that requests do not wait for it. */
const AWAY_MS = 10_000;

/**
 * Reads from a replica, which has the roles and policies of the primary, and from the primary if that fails:
 * the replica may be down, lack a migration, or have cancelled the statement because of replication.
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
        // The statement would take as long on the primary, and expensive searches of one organization must
        // not move all reads there.
        if (isOutOfTime(err) || err instanceof ConnectionShareExceeded) throw err;
        if (err instanceof DatabaseUnavailable) {
          awayUntil = clock().getTime() + AWAY_MS;
          onAway(err);
        }
        // If the statement itself is invalid, the primary reports that too.
        return primary.queryAsTenant<Row>(...query);
      }
    },
  };
}

/** query_canceled: the statement's time limit. A cancellation because of replication is a serialization_failure. */
const isOutOfTime = (err: unknown): boolean =>
  err instanceof DatabaseUnavailable &&
  err.cause instanceof Error &&
  'code' in err.cause &&
  err.cause.code === '57014';
