import { ConnectionShareExceeded, DatabaseUnavailable, type TenantDatabase } from '@legate/postgres';

/** For what may be some moments old: no change is decided by it. */
export type TenantReader = Pick<TenantDatabase, 'queryAsTenant'>;

/** Nobody waits meanwhile for a replica that did not answer. */
const AWAY_MS = 10_000;

/**
 * Reads from a replica, which has the roles and policies of the primary, and from the primary where that fails: it may be
 * away, still lack a migration, or have ended the statement for what it had to replay.
 * @param deps.onAway told of each outage, at most every ten seconds
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
        // What is the statement's own fault, the primary says too.
        return primary.queryAsTenant<Row>(...query);
      }
    },
  };
}

/** query_canceled: by the time limit of a statement. What a replica ends for what it must replay is a serialization_failure. */
const isOutOfTime = (err: unknown): boolean =>
  err instanceof DatabaseUnavailable &&
  err.cause instanceof Error &&
  'code' in err.cause &&
  err.cause.code === '57014';
