import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantConnection } from '@legate/postgres';
import { statement } from '../../storage/statement.ts';

export interface IdempotentRequest {
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
  readonly key: string;
  /** Hash of method, path and body */
  readonly hash: Buffer;
}

export type Reservation =
  | { readonly kind: 'reserved' }
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'other_request' }
  /** Null: the response is not known, because it was lost, or the request still runs */
  | { readonly kind: 'answered'; readonly answer: unknown };

const KEPT_SECONDS = 24 * 3600;

/**
 * Locks the key until the transaction ends. Without the lock a second request would wait for the row of the first one
 * instead of being refused at once.
 */
const LOCK = statement(
  'idempotency_lock',
)`SELECT pg_try_advisory_xact_lock(hashtextextended('idempotency:' || $1 || ':' || $2 || ':' || $3, 0)) AS locked`;

/** Reserves a key that is new or expired. */
const RESERVE = statement(
  'idempotency_reserve',
)`INSERT INTO idempotency_keys AS k (organization_id, user_id, key, request_hash, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (organization_id, user_id, key) DO UPDATE
  SET request_hash = excluded.request_hash, answer = NULL, created_at = excluded.created_at
  WHERE k.created_at <= $6
RETURNING true AS reserved`;

const FIND = statement('idempotency_find')`SELECT request_hash, answer FROM idempotency_keys
WHERE organization_id = $1 AND user_id = $2 AND key = $3`;

/** Deletes a few expired keys at a time, and none that another request has locked. */
const CLEAN = statement(
  'idempotency_clean',
)`DELETE FROM idempotency_keys WHERE (organization_id, user_id, key) IN (
  SELECT organization_id, user_id, key FROM idempotency_keys
  WHERE organization_id = $1 AND created_at <= $2
  ORDER BY created_at LIMIT 100 FOR UPDATE SKIP LOCKED
)`;

const SAVE = statement('idempotency_save')`UPDATE idempotency_keys SET answer = $4
WHERE organization_id = $1 AND user_id = $2 AND key = $3`;

/** Reserves a key: one of several concurrent requests gets `reserved`. */
export async function reserveKey(
  connection: TenantConnection,
  request: IdempotentRequest,
  now: Date,
): Promise<Reservation> {
  const { organizationId, userId, key, hash } = request;
  const id = [organizationId, userId, key];
  const [lock] = await connection.query<{ locked: boolean }>(LOCK(...id));
  if (!lock?.locked) return { kind: 'in_progress' };
  const expired = new Date(now.getTime() - KEPT_SECONDS * 1000);
  const [reserved] = await connection.query(RESERVE(...id, hash, now, expired));
  if (reserved) {
    await connection.query(CLEAN(organizationId, expired));
    return { kind: 'reserved' };
  }
  const [found] = await connection.query<{ request_hash: Buffer; answer: unknown }>(FIND(...id));
  if (!found) throw new Error('an idempotency key was lost');
  return found.request_hash.equals(hash)
    ? { kind: 'answered', answer: found.answer }
    : { kind: 'other_request' };
}

export async function saveAnswer(
  connection: TenantConnection,
  { organizationId, userId, key }: IdempotentRequest,
  answer: unknown,
): Promise<void> {
  await connection.query(SAVE(organizationId, userId, key, JSON.stringify(answer)));
}
