import type { OrganizationId } from '@legate/ids';
import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import type { PlanName } from '@legate/rate-limit';
import type { DefaultRole } from '../domain/rights.ts';
import { CHANGED } from '../storage/columns.ts';

/** The organization as it shows itself to its members. */
export interface Profile {
  readonly id: OrganizationId;
  readonly name: string;
  readonly plan: PlanName;
  readonly rateLimitPerMinute: number | null;
  readonly status: 'active' | 'suspended' | 'deleted';
  readonly defaultRole: DefaultRole | null;
  readonly roleSource: 'local' | 'identity_provider';
  /** ISO 8601, UTC, milliseconds */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: string;
}

export interface ProfileStore {
  find(id: OrganizationId): Promise<Profile>;
  /** True if it is scheduled for purging, or purged */
  isDeleted(id: OrganizationId): Promise<boolean>;
  /** Waits for other changes, and returns the organization as they left it. */
  lock(connection: TenantConnection, id: OrganizationId): Promise<Profile>;
  save(
    connection: TenantConnection,
    id: OrganizationId,
    name: string,
    defaultRole: Profile['defaultRole'],
    roleSource: Profile['roleSource'],
  ): Promise<Profile>;
  /** Suspends it now; from `purgeAt` on what is left of it may be deleted for good. */
  suspend(connection: TenantConnection, id: OrganizationId, purgeAt: Date): Promise<Profile>;
}

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const COLUMNS = `id, name, plan, rate_limit_per_minute AS "rateLimitPerMinute", status,
  default_role AS "defaultRole", role_source AS "roleSource",
  ${time('created_at')} AS "createdAt", ${time('updated_at')} AS "updatedAt", version::text`;
const FIND = `SELECT ${COLUMNS} FROM organizations WHERE id = $1`;
const IS_DELETED = `SELECT FROM organizations WHERE id = $1 AND status <> 'deleted' AND purge_at IS NULL`;
const SAVE = `UPDATE organizations SET name = $2, default_role = $3, role_source = $4, ${CHANGED} WHERE id = $1
RETURNING ${COLUMNS}`;
const SUSPEND = `UPDATE organizations SET status = 'suspended', purge_at = $2, ${CHANGED} WHERE id = $1
RETURNING ${COLUMNS}`;

export function createProfileStore(tenants: TenantDatabase): ProfileStore {
  const inTransaction =
    (name: string, text: string) =>
    async (connection: TenantConnection, ...values: unknown[]): Promise<Profile> =>
      only(await connection.query<Profile>({ name, text, values }));
  return {
    async find(id) {
      const statement = { name: 'organization_profile', text: FIND, values: [id] };
      return only(await tenants.queryAsTenant<Profile>(id, statement));
    },
    async isDeleted(id) {
      const statement = { name: 'organization_is_deleted', text: IS_DELETED, values: [id] };
      return (await tenants.queryAsTenant(id, statement)).length === 0;
    },
    lock: inTransaction('organization_lock', `${FIND} FOR UPDATE`),
    save: inTransaction('organization_save_profile', SAVE),
    suspend: inTransaction('organization_suspend', SUSPEND),
  };
}

/** An admitted request has an organization: its row is never deleted while tokens name it. */
function only([row]: readonly Profile[]): Profile {
  if (!row) throw new Error('the organization is gone');
  return row;
}
