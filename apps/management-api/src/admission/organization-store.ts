import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Plan, PlanName } from '@legate/rate-limit';

export interface Organization {
  /** The identity provider's `organization_id` */
  readonly id: OrganizationId;
  readonly name: string;
  readonly plan: Plan;
  readonly status: 'active' | 'suspended' | 'deleted';
}

export interface OrganizationStore {
  /** The organization; one that was never seen is made, with its id as its name. */
  findOrCreate(id: OrganizationId): Promise<Organization>;
  /** Makes the organization, or gives it this name and plan. */
  save(organization: Pick<Organization, 'id' | 'name' | 'plan'>): Promise<void>;
}

interface Row {
  id: OrganizationId;
  name: string;
  plan: PlanName;
  rate_limit_per_minute: number | null;
  status: Organization['status'];
}

const COLUMNS = 'id, name, plan, rate_limit_per_minute, status';
const FIND = `SELECT ${COLUMNS} FROM organizations WHERE id = $1`;
/** Ids may be longer than names. */
const CREATE = `INSERT INTO organizations (id, name) VALUES ($1::text, left($1::text, 100))
  ON CONFLICT (id) DO NOTHING`;
const SAVE = `INSERT INTO organizations (id, name, plan, rate_limit_per_minute) VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, plan = excluded.plan,
    rate_limit_per_minute = excluded.rate_limit_per_minute,
    version = organizations.version + 1, updated_at = clock_timestamp()`;

export function createOrganizationStore(tenants: TenantDatabase): OrganizationStore {
  const find = async (id: OrganizationId): Promise<Organization | undefined> => {
    const statement = { name: 'organization_find', text: FIND, values: [id] };
    const [row] = await tenants.queryAsTenant<Row>(id, statement);
    return row && toOrganization(row);
  };

  return {
    async findOrCreate(id) {
      const known = await find(id);
      if (known) return known;
      // Of two concurrent first requests one inserts, and both find the row.
      await tenants.queryAsTenant(id, { name: 'organization_create', text: CREATE, values: [id] });
      const created = await find(id);
      if (!created) throw new Error('an organization cannot be read back');
      return created;
    },
    async save({ id, name, plan }) {
      const values = [id, name, plan.name, plan.requestsPerMinute];
      await tenants.queryAsTenant(id, { name: 'organization_save', text: SAVE, values });
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
