import { type Change, NotItsTurn } from '../../changes/change.ts';
import { problem } from '../../domain/problem-codes.ts';
import { statement } from '../../storage/statement.ts';

/**
 * Quotas of an organization: more than anyone needs, and few enough that a faulty script does not fill the database.
 */
export const QUOTAS = { sites: 10_000, agents: 1000, connectors: 1000, domains: 100 } as const;

export type Quotas = Readonly<Record<keyof typeof QUOTAS, number>>;

/**
 * Checks the quota; call it before creating something. Until the transaction ends, nobody else in the
 * organization can create an item of the same kind, so that two concurrent requests cannot exceed the limit.
 * @throws {Problem} 409 `quota_exceeded`
 * @throws {NotItsTurn} somebody else in the organization is creating an item: the change is retried
 */
export type CheckQuota = (change: Change) => Promise<void>;

/**
 * Takes a lock until the transaction ends. It does not wait for the lock, because that would hold a
 * connection while others create.
 */
const tryLock = (kind: string) =>
  `pg_try_advisory_xact_lock(hashtextextended('quota:${kind}:' || $1::text, 0))`;

/** Kinds whose deleted rows are kept for a while: creating and deleting in turn must not fill the database. */
const CAN_BE_RESTORED: readonly (keyof Quotas)[] = ['sites', 'agents', 'connectors'];

interface Counted {
  /** Number of rows including deleted ones, up to twice the quota */
  readonly all: number;
  /** Number of rows that are not deleted; null if `all` is below the quota */
  readonly present: number | null;
}

/**
 * Creates the check of a quota. The quota limits the items that are not deleted; together with deleted ones,
 * twice as many are allowed. A restore is never refused.
 * @param kind also the name of its table
 */
export function createQuotaCheck(kind: keyof Quotas, max: number): CheckQuota {
  const isRestorable = CAN_BE_RESTORED.includes(kind);
  // Each query scans an index, and only up to the limit, however many rows there are; the second one is
  // seldom needed.
  const all = `SELECT count(*) FROM (SELECT FROM ${kind} WHERE organization_id = $1 LIMIT 2 * $2::int) found`;
  const present = isRestorable
    ? `SELECT count(*) FROM (SELECT FROM ${kind} WHERE organization_id = $1 AND deleted_at IS NULL LIMIT 2 * $2::int) found`
    : 'counted.n';
  const COUNTED = `SELECT json_build_object('all', counted.n,
    'present', CASE WHEN counted.n >= $2::int THEN (${present}) END) FROM (${all}) counted (n)`;
  const LOCK = statement(`quota_lock_${kind}`)`SELECT ${tryLock(kind)} AS locked`;
  const COUNT = statement(
    `quota_${kind}`,
  )`SELECT CASE WHEN ${tryLock(kind)} THEN (${COUNTED}) END AS counted`;
  return async ({ connection, organizationId }) => {
    // One round trip, but two statements: the count must not be older than the lock. Without the lock,
    // nothing is counted.
    const [[lock], [answer]] = await Promise.all([
      connection.query<{ locked: boolean }>(LOCK(organizationId)),
      connection.query<{ counted: Counted | null }>(COUNT(organizationId, max)),
    ]);
    if (!lock?.locked || !answer?.counted) throw new NotItsTurn();
    const { counted } = answer;
    if (counted.present === null || (counted.present < max && counted.all < 2 * max)) return;
    throw quotaExceeded(kind, max, { present: counted.present, deleted: counted.all - counted.present });
  };
}

function quotaExceeded(kind: keyof Quotas, limit: number, counts: { present: number; deleted: number }) {
  const isFull = counts.present >= limit;
  return problem('quota_exceeded', {
    detail: isFull
      ? `The organization has ${counts.present} ${kind}; the limit is ${limit}.`
      : `The organization has ${counts.present} ${kind}, and ${counts.deleted} deleted ones; the limit for both is ${2 * limit}. Purge some, or wait until they are purged after 30 days.`,
    extensions: { ...counts, limit },
  });
}
