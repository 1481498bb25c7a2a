import type { OrganizationId } from '@legate/ids';
import type { AgentPolicy } from '@legate/management-contract';
import type { TenantDatabase } from '@legate/postgres';
import type { PlanName } from '@legate/rate-limit';
import { notActive } from '../../callers/standing/not-active.ts';
import { ORGANIZATION_STATUS } from '../../callers/standing/organization-store.ts';
import type { Change } from '../../changes/change.ts';
import type { DefaultRole, RoleSource } from '../../domain/rights.ts';
import { changed, isoTimeOf } from '../../storage/columns.ts';
import { statement } from '../../storage/statement.ts';
import type { OrganizationBody } from './organization.ts';

/** The settings that members can change */
type Settings = Pick<OrganizationBody, 'name' | 'default_role' | 'role_source' | 'agent_policy'>;

/** The organization as its members see it. */
export interface Profile {
  readonly id: OrganizationId;
  readonly name: string;
  readonly plan: PlanName;
  readonly rateLimitPerMinute: number | null;
  readonly status: 'active' | 'suspended' | 'deleted';
  readonly defaultRole: DefaultRole | null;
  readonly roleSource: RoleSource;
  readonly agentPolicy: AgentPolicy;
  readonly suspendedAt: string | null;
  readonly suspendedBy: 'owner' | 'operator' | null;
  readonly deletedAt: string | null;
  readonly purgeAt: string | null;
  /** A time in the format of `Instant` */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: string;
}

/**
 * A suspension set by SQL, without author and time, counts as the operator's. A deleted organization may have been
 * suspended before.
 */
const IS_SUSPENDED = "(o.suspended_at IS NOT NULL OR (o.status <> 'active' AND o.purge_at IS NULL))";
const SUSPENDED_AT = `CASE WHEN ${IS_SUSPENDED} THEN coalesce(o.suspended_at, o.updated_at) END`;
const SUSPENDED_BY = `CASE WHEN ${IS_SUSPENDED} THEN coalesce(o.suspended_by, 'operator') END`;
const COLUMNS = `o.id, o.name, o.plan, o.rate_limit_per_minute AS "rateLimitPerMinute", ${ORGANIZATION_STATUS} AS status,
  o.default_role AS "defaultRole", o.role_source AS "roleSource", o.agent_policy AS "agentPolicy",
  ${isoTimeOf(SUSPENDED_AT)} AS "suspendedAt", ${SUSPENDED_BY} AS "suspendedBy",
  ${isoTimeOf('o.deleted_at')} AS "deletedAt", ${isoTimeOf('o.purge_at')} AS "purgeAt",
  ${isoTimeOf('o.created_at')} AS "createdAt", ${isoTimeOf('o.updated_at')} AS "updatedAt", o.version::text`;
const OF_ID = `SELECT ${COLUMNS} FROM organizations o WHERE o.id = $1`;
const FIND = statement('organization_profile')`${OF_ID}`;
const LOCK = statement('organization_lock')`${OF_ID} FOR UPDATE`;
const IS_DELETED = statement(
  'organization_is_deleted',
)`SELECT FROM organizations WHERE id = $1 AND status <> 'deleted' AND purge_at IS NULL`;
const update = (set: string) =>
  `UPDATE organizations o SET ${set}, ${changed('o')} WHERE o.id = $1 RETURNING ${COLUMNS}`;
const SAVE = statement(
  'organization_save_profile',
)`${update('name = $2, default_role = $3, role_source = $4, agent_policy = $5')}`;
const SUSPEND = statement('organization_suspend')`${update(
  `status = 'suspended', suspended_at = coalesce(${SUSPENDED_AT}, $2), suspended_by = $3`,
)}`;
const REACTIVATE = statement('organization_reactivate')`${update(
  "status = 'active', suspended_at = NULL, suspended_by = NULL",
)}`;
const REMOVE = statement('organization_remove')`${update(
  `status = 'suspended', deleted_at = $2, purge_at = $3, suspended_at = ${SUSPENDED_AT}, suspended_by = ${SUSPENDED_BY}`,
)}`;
const RESTORE = statement('organization_restore')`${update(
  `status = CASE WHEN o.suspended_at IS NULL THEN 'active' ELSE 'suspended' END, deleted_at = NULL, purge_at = NULL`,
)}`;

export type ProfileStore = ReturnType<typeof createProfileStore>;

export function createProfileStore(tenants: TenantDatabase) {
  const send = async ({ connection }: Change, sent: ReturnType<typeof FIND>) =>
    only(await connection.query<Profile>(sent));
  return {
    find: async (id: OrganizationId) => only(await tenants.queryAsTenant<Profile>(id, FIND(id))),
    /** True if the organization is scheduled for purging, or purged */
    isDeleted: async (id: OrganizationId) => (await tenants.queryAsTenant(id, IS_DELETED(id))).length === 0,
    /** Waits for other changes of the organization, and returns its resulting state. */
    lock: (change: Change) => send(change, LOCK(change.organizationId)),
    save: (change: Change, { name, default_role, role_source, agent_policy }: Settings) =>
      send(change, SAVE(change.organizationId, name, default_role, role_source, agent_policy)),
    /** Suspends the organization; the time of an earlier suspension stays. */
    suspend: (change: Change, now: Date, by: 'owner' | 'operator') =>
      send(change, SUSPEND(change.organizationId, now, by)),
    reactivate: (change: Change) => send(change, REACTIVATE(change.organizationId)),
    /** Marks the organization as deleted; from `purgeAt` on, its data may be deleted permanently. */
    remove: (change: Change, now: Date, purgeAt: Date) =>
      send(change, REMOVE(change.organizationId, now, purgeAt)),
    /** Restores the organization; one that was suspended before stays suspended. */
    restore: (change: Change) => send(change, RESTORE(change.organizationId)),
  };
}

/** Returns the organization of an admitted request, which has one unless it was purged meanwhile. */
function only([row]: readonly Profile[]): Profile {
  if (!row) throw notActive({ status: 'deleted', purgeAt: null });
  return row;
}
