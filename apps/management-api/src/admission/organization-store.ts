import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Plan, PlanName } from '@legate/rate-limit';
import { statement } from '../storage/statement.ts';

export interface Organization {
  /** The identity provider's `organization_id` */
  readonly id: OrganizationId;
  readonly name: string;
  readonly plan: Plan;
  readonly status: 'active' | 'suspended' | 'deleted';
}

interface Row {
  id: OrganizationId;
  name: string;
  plan: PlanName;
  rate_limit_per_minute: number | null;
  status: Organization['status'];
}

const FIND = statement('organization_find')`SELECT id, name, plan, rate_limit_per_minute, status
FROM organizations WHERE id = $1`;
/** Ids may be longer than names. */
const CREATE = statement(
  'organization_create',
)`INSERT INTO organizations (id, name) VALUES ($1::text, left($1::text, 100))
  ON CONFLICT (id) DO NOTHING`;
const SAVE = statement('organization_save')`INSERT INTO organizations (id, name, plan, rate_limit_per_minute)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, plan = excluded.plan,
    rate_limit_per_minute = excluded.rate_limit_per_minute,
    version = organizations.version + 1, updated_at = clock_timestamp()`;

export type OrganizationStore = ReturnType<typeof createOrganizationStore>;

export function createOrganizationStore(tenants: TenantDatabase) {
  const find = async (id: OrganizationId): Promise<Organization | undefined> => {
    const [row] = await tenants.queryAsTenant<Row>(id, FIND(id));
    return row && toOrganization(row);
  };

  return {
    /** The organization; one that was never seen is made, with its id as its name. */
    async findOrCreate(id: OrganizationId): Promise<Organization> {
      const known = await find(id);
      if (known) return known;
      // Of two concurrent first requests one inserts, and both find the row.
      await tenants.queryAsTenant(id, CREATE(id));
      const created = await find(id);
      if (!created) throw new Error('an organization cannot be read back');
      return created;
    },
    /** Makes the organization, or gives it this name and plan. */
    async save({ id, name, plan }: Pick<Organization, 'id' | 'name' | 'plan'>) {
      await tenants.queryAsTenant(id, SAVE(id, name, plan.name, plan.requestsPerMinute));
    },
  };
}

function toOrganization(row: Row): Organization {
  return {
    id: row.id,
    name: row.name,
    plan: { name: row.plan, requestsPerMinute: row.rate_limit_per_minute },
    status: row.status,
  };
}
