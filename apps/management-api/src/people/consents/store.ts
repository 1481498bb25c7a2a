import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../../changes/change.ts';
import { isoTime } from '../../storage/columns.ts';
import { queryPage } from '../../storage/page-statement.ts';
import { statement } from '../../storage/statement.ts';
import type { Consent, ListConsents } from './consent.ts';

const CONSENT_JSON = `json_build_object('client_id', r.client_id, 'decision', r.decision, 'decided_at', ${isoTime('decided_at')})`;
const OF_USER = 'r.organization_id = $1 AND r.user_id = $2';
const LOCK = statement(
  'consents_lock',
)`SELECT pg_advisory_xact_lock(hashtextextended('consents:' || $1::text || ':' || $2::text, 0))`;
const OWN = statement('consents_own')`SELECT ${CONSENT_JSON} AS consent FROM client_consents r
WHERE ${OF_USER} ORDER BY r.decided_at, r.client_id`;
const SAVE = statement(
  'consent_save',
)`INSERT INTO client_consents AS r (organization_id, user_id, client_id, decision, decided_at)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT (organization_id, user_id, client_id)
DO UPDATE SET decision = excluded.decision, decided_at = excluded.decided_at RETURNING ${CONSENT_JSON} AS consent`;
const FORGET = statement('consent_forget')`DELETE FROM client_consents
WHERE organization_id = $1 AND user_id = $2 AND client_id = $3`;
const FORGET_ALL = statement('consents_forget')`DELETE FROM client_consents
WHERE organization_id = $1 AND user_id = $2`;

/** Deletes the decisions of a member who is removed. */
export async function forgetConsents({ connection, organizationId }: Change, userId: UserId): Promise<void> {
  await connection.query(FORGET_ALL(organizationId, userId));
}

/** Returns the decisions of a user, the oldest first; no other request can change them until the transaction ends. */
export async function lockConsents(
  { connection, organizationId }: Change,
  userId: UserId,
): Promise<readonly Consent[]> {
  // Locked in a statement of its own first, so that the next one sees what the last holder of the lock saved.
  await connection.query(LOCK(organizationId, userId));
  const rows = await connection.query<{ consent: Consent }>(OWN(organizationId, userId));
  return rows.map(({ consent }) => consent);
}

export async function saveConsent(
  { connection, organizationId }: Change,
  userId: UserId,
  { client_id, decision }: Pick<Consent, 'client_id' | 'decision'>,
  now: Date,
): Promise<Consent> {
  const save = SAVE(organizationId, userId, client_id, decision, now);
  const [saved] = await connection.query<{ consent: Consent }>(save);
  if (!saved) throw new Error('a consent was not returned');
  return saved.consent;
}

export async function forgetConsent(
  { connection, organizationId }: Change,
  userId: UserId,
  clientId: string,
): Promise<void> {
  await connection.query(FORGET(organizationId, userId, clientId));
}

/** Lists the consents of a user, ordered by application id. */
export const listConsents = (
  tenants: TenantDatabase,
  organizationId: OrganizationId,
  userId: UserId,
  query: ListConsents,
) =>
  queryPage<Consent>(tenants, organizationId, query, {
    name: 'consents_list',
    from: 'client_consents r',
    where: OF_USER,
    values: [userId],
    orderBy: 'r.client_id',
    json: CONSENT_JSON,
  });
