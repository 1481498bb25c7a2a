import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { PlanName } from '@legate/rate-limit';
import type { Change } from '../changes/change.ts';
import type { DefaultRole, RoleSource } from '../domain/rights.ts';
import { CHANGED, isoTimeOf } from '../storage/columns.ts';
import { statement } from '../storage/statement.ts';
import type { OrganizationBody } from './organization.ts';

/** What its members set */
type Settings = Pick<OrganizationBody, 'name' | 'default_role' | 'role_source'>;

/** The organization as it shows itself to its members. */
export interface Profile {
  readonly id: OrganizationId;
  readonly name: string;
  readonly plan: PlanName;
  readonly rateLimitPerMinute: number | null;
  readonly status: 'active' | 'suspended' | 'deleted';
  readonly defaultRole: DefaultRole | null;
  readonly roleSource: RoleSource;
  /** As `Instant` */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: string;
}

const COLUMNS = `id, name, plan, rate_limit_per_minute AS "rateLimitPerMinute", status,
  default_role AS "defaultRole", role_source AS "roleSource",
  ${isoTimeOf('created_at')} AS "createdAt", ${isoTimeOf('updated_at')} AS "updatedAt", version::text`;
const OF_ID = `SELECT ${COLUMNS} FROM organizations WHERE id = $1`;
const FIND = statement('organization_profile')`${OF_ID}`;
const LOCK = statement('organization_lock')`${OF_ID} FOR UPDATE`;
const IS_DELETED = statement(
  'organization_is_deleted',
)`SELECT FROM organizations WHERE id = $1 AND status <> 'deleted' AND purge_at IS NULL`;
const SAVE = statement('organization_save_profile')`UPDATE organizations
SET name = $2, default_role = $3, role_source = $4, ${CHANGED} WHERE id = $1 RETURNING ${COLUMNS}`;
const SUSPEND = statement('organization_suspend')`UPDATE organizations
SET status = 'suspended', purge_at = $2, ${CHANGED} WHERE id = $1 RETURNING ${COLUMNS}`;

export type ProfileStore = ReturnType<typeof createProfileStore>;

export function createProfileStore(tenants: TenantDatabase) {
  return {
    find: async (id: OrganizationId) => only(await tenants.queryAsTenant<Profile>(id, FIND(id))),
    /** True if it is scheduled for purging, or purged */
    isDeleted: async (id: OrganizationId) => (await tenants.queryAsTenant(id, IS_DELETED(id))).length === 0,
    /** Waits for other changes, and returns the organization as they left it. */
    lock: async ({ connection, organizationId }: Change) =>
      only(await connection.query<Profile>(LOCK(organizationId))),
    async save({ connection, organizationId }: Change, { name, default_role, role_source }: Settings) {
      return only(await connection.query<Profile>(SAVE(organizationId, name, default_role, role_source)));
    },
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
