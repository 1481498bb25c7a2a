import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { PlanName } from '@legate/rate-limit';
import type { Change } from '../changes/change.ts';
import { CHANGED, isoTime } from '../storage/columns.ts';
import { statement } from '../storage/statement.ts';

/** The organization as it shows itself to its members. */
export interface Profile {
  readonly id: OrganizationId;
  readonly name: string;
  readonly plan: PlanName;
  readonly rateLimitPerMinute: number | null;
  readonly status: 'active' | 'suspended' | 'deleted';
  /** ISO 8601, UTC, milliseconds */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: string;
}

const COLUMNS = `r.id, r.name, r.plan, r.rate_limit_per_minute AS "rateLimitPerMinute", r.status,
  ${isoTime('created_at')} AS "createdAt", ${isoTime('updated_at')} AS "updatedAt", r.version::text`;
const ORGANIZATION = `SELECT ${COLUMNS} FROM organizations r WHERE r.id = $1`;
const FIND = statement('organization_profile')`${ORGANIZATION}`;
const LOCK = statement('organization_lock')`${ORGANIZATION} FOR UPDATE`;
const IS_DELETED = statement('organization_is_deleted')`SELECT FROM organizations
WHERE id = $1 AND status <> 'deleted' AND purge_at IS NULL`;
const RENAME = statement('organization_rename')`UPDATE organizations r SET name = $2, ${CHANGED}
WHERE r.id = $1 RETURNING ${COLUMNS}`;
const SUSPEND = statement('organization_suspend')`UPDATE organizations r
SET status = 'suspended', purge_at = $2, ${CHANGED} WHERE r.id = $1 RETURNING ${COLUMNS}`;

export type ProfileStore = ReturnType<typeof createProfileStore>;

export function createProfileStore(tenants: TenantDatabase) {
  return {
    find: async (id: OrganizationId) => only(await tenants.queryAsTenant<Profile>(id, FIND(id))),
    /** True if it is scheduled for purging, or purged */
    isDeleted: async (id: OrganizationId) => (await tenants.queryAsTenant(id, IS_DELETED(id))).length === 0,
    /** Waits for other changes, and returns the organization as they left it. */
    lock: async ({ connection, organizationId }: Change) =>
      only(await connection.query<Profile>(LOCK(organizationId))),
    rename: async ({ connection, organizationId }: Change, name: string) =>
      only(await connection.query<Profile>(RENAME(organizationId, name))),
    /** Suspends it now; from `purgeAt` on what is left of it may be deleted for good. */
    suspend: async ({ connection, organizationId }: Change, purgeAt: Date) =>
      only(await connection.query<Profile>(SUSPEND(organizationId, purgeAt))),
  };
}

/** An admitted request has an organization: its row is never deleted while tokens name it. */
function only([row]: readonly Profile[]): Profile {
  if (!row) throw new Error('the organization is gone');
  return row;
}
