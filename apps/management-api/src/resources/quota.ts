import { type Change, NotItsTurn } from '../changes/change.ts';
import { problem } from '../domain/problem-codes.ts';
import { statement } from '../storage/statement.ts';

/**
 * Quotas of an organization: more than anyone needs, and few enough that a faulty script does not fill the database.
 */
export const QUOTAS = { sites: 10_000, agents: 1000, connectors: 1000, domains: 100 } as const;

export type Quotas = Readonly<Record<keyof typeof QUOTAS, number>>;

/**
 * Call it before creating something: until the transaction ends nobody else in the organization can create one of the
 * kind, so that of two at the limit one is refused.
 * @throws {Problem} 409 `quota_exceeded`
 * @throws {NotItsTurn} somebody else in the organization is creating one: the change is retried
 */
export type CheckQuota = (change: Change) => Promise<void>;

/** Released with the transaction. It does not wait, because that would hold a connection while others create. */
const tryLock = (kind: string) =>
  `pg_try_advisory_xact_lock(hashtextextended('quota:${kind}:' || $1::text, 0))`;

/** @param kind also the name of its table */
export function createQuotaCheck(kind: keyof Quotas, max: number): CheckQuota {
  // Scans an index only up to the limit, however many rows there are. Deleted rows are kept for 30 days and count too:
  // alternately creating and deleting must not fill the database.
  const isFull = `SELECT count(*) >= $2 FROM (SELECT FROM ${kind} WHERE organization_id = $1 LIMIT $2) present`;
  const LOCK = statement(`quota_lock_${kind}`)`SELECT ${tryLock(kind)} AS locked`;
  const COUNT = statement(`quota_${kind}`)`SELECT CASE WHEN ${tryLock(kind)} THEN (${isFull}) END AS full`;
  return async ({ connection, organizationId }) => {
    // One round trip, but two statements: the count must not be older than the lock. Without the lock nothing is
    // counted.
    const [[lock], [answer]] = await Promise.all([
      connection.query<{ locked: boolean }>(LOCK(organizationId)),
      connection.query<{ full: boolean | null }>(COUNT(organizationId, max)),
    ]);
    if (!lock?.locked) throw new NotItsTurn();
    if (!answer?.full) return;
    throw problem('quota_exceeded', {
      detail: `The organization has ${max} ${kind}, which is the most it may have. Deleted ones count for 30 days.`,
    });
  };
}
