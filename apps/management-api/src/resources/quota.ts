import { Problem } from '@legate/service';
import type { Change } from '../changes/change.ts';

/** How many of each kind an organization may have at a time. */
export interface Quotas {
  readonly sites: number;
  readonly agents: number;
  readonly connectors: number;
  readonly domains: number;
}

/**
 * Asked before something is created: until the end of the transaction nobody else of the organization
 * creates one of the kind, so that of two at the limit one is refused.
 * @throws {Problem} 409 `quota_exceeded`
 */
export type CheckQuota = (change: Change) => Promise<void>;

/** Released with the transaction. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('quota:' || $1::text || ':' || $2::text, 0))`;

/** @param kind also the name of its table */
export function createQuotaCheck(kind: keyof Quotas, max: number): CheckQuota {
  // Walks an index up to the limit and no further, however many rows there are. What is deleted is kept for 30 days and
  // counts as long: creating and deleting in turn must not fill the database.
  const isFull = `SELECT count(*) >= $2 AS full FROM (
  SELECT FROM ${kind} WHERE organization_id = $1 LIMIT $2
) present`;
  return async ({ connection, organizationId }) => {
    // In one round trip, but two statements: the count must not be older than the lock.
    const [, [answer]] = await Promise.all([
      connection.query({ name: 'quota_lock', text: LOCK, values: [kind, organizationId] }),
      connection.query<{ full: boolean }>({
        name: `quota_${kind}`,
        text: isFull,
        values: [organizationId, max],
      }),
    ]);
    if (!answer?.full) return;
    throw new Problem(409, 'quota_exceeded', 'Quota exceeded', {
      detail: `The organization has ${max} ${kind}, which is the most it may have. Deleted ones count for 30 days.`,
    });
  };
}
