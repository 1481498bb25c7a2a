import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Plan, PlanName } from '@legate/rate-limit';
import type { DefaultRole, RoleSource } from '../domain/rights.ts';
import { changed } from '../storage/columns.ts';
import { statement } from '../storage/statement.ts';

export interface Organization {
  /** The identity provider's `organization_id` */
  readonly id: OrganizationId;
  readonly name: string;
  readonly plan: Plan;
  readonly status: 'active' | 'suspended' | 'deleted';
  /** Null: the deployment's */
  readonly defaultRole: DefaultRole | null;
  readonly roleSource: RoleSource;
}

export interface OrganizationRow {
  id: OrganizationId;
  name: string;
  plan: PlanName;
  rate_limit_per_minute: number | null;
  status: Organization['status'];
  default_role: DefaultRole | null;
  role_source: Organization['roleSource'];
}

/** Columns of the organization `o` */
export const ORGANIZATION_COLUMNS =
  'o.id, o.name, o.plan, o.rate_limit_per_minute, o.status, o.default_role, o.role_source';
/** Ids may be longer than names. */
const CREATE = statement(
  'organization_create',
)`INSERT INTO organizations (id, name) VALUES ($1::text, left($1::text, 100))
  ON CONFLICT (id) DO NOTHING`;
const SAVE = statement('organization_save')`INSERT INTO organizations (id, name, plan, rate_limit_per_minute)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, plan = excluded.plan,
    rate_limit_per_minute = excluded.rate_limit_per_minute,
    ${changed('organizations')}`;

/** Creates an organization that a token names, with its id as its name. Of two concurrent first requests one inserts. */
export async function createOrganization(tenants: TenantDatabase, id: OrganizationId): Promise<void> {
  await tenants.queryAsTenant(id, CREATE(id));
}

export type OrganizationStore = ReturnType<typeof createOrganizationStore>;

export const createOrganizationStore = (tenants: TenantDatabase) => ({
  /** Makes the organization, or gives it this name and plan. */
  async save({ id, name, plan }: Pick<Organization, 'id' | 'name' | 'plan'>) {
    await tenants.queryAsTenant(id, SAVE(id, name, plan.name, plan.requestsPerMinute));
  },
});

export const toOrganization = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  plan: { name: row.plan, requestsPerMinute: row.rate_limit_per_minute },
  status: row.status,
  defaultRole: row.default_role,
  roleSource: row.role_source,
});
