import type { OrganizationId, UserId } from '@legate/ids';
import type { Plan, PlanName } from '@legate/rate-limit';
import type { MakeChange } from '../../changes/change.ts';
import type { NewAuditEvent, Target } from '../../domain/audit-event.ts';
import { systemAuthor } from '../../domain/author.ts';
import type { DefaultRole, RoleSource } from '../../domain/rights.ts';
import { changed } from '../../storage/columns.ts';
import { statement } from '../../storage/statement.ts';

export interface Organization {
  /** The organization's id at the identity provider */
  readonly id: OrganizationId;
  readonly name: string;
  readonly plan: Plan;
  readonly status: 'active' | 'suspended' | 'deleted';
  /** Time at which the data of a deleted organization is purged; null if it is not deleted, or already purged */
  readonly purgeAt: Date | null;
  /** Null: the default of the deployment applies */
  readonly defaultRole: DefaultRole | null;
  readonly roleSource: RoleSource;
}

export interface OrganizationRow {
  id: OrganizationId;
  name: string;
  plan: PlanName;
  rate_limit_per_minute: number | null;
  status: Organization['status'];
  purge_at: Date | null;
  default_role: DefaultRole | null;
  role_source: Organization['roleSource'];
}

/** Selects the status of the organization `o`: in the table a deleted one is suspended, with the time of its purge. */
export const ORGANIZATION_STATUS = "CASE WHEN o.purge_at IS NULL THEN o.status ELSE 'deleted' END";
/** Columns of the organization `o` */
export const ORGANIZATION_COLUMNS = `o.id, o.name, o.plan, o.rate_limit_per_minute, ${ORGANIZATION_STATUS} AS status,
  o.purge_at, o.default_role, o.role_source`;
/** SQL that is false for an id of a purged organization: a token that still names one must not create it again. */
export const isNotPurged = (id: string): string =>
  `NOT EXISTS (SELECT FROM organization_tombstones t WHERE t.organization_id = ${id})`;
/** The name is cut, since ids may be longer than names. */
const CREATE = statement(
  'organization_create',
)`INSERT INTO organizations (id, name) SELECT $1::text, left($1::text, 100) WHERE ${isNotPurged('$1::text')}
  ON CONFLICT (id) DO NOTHING RETURNING name`;
/** `xmax` is 0 for an inserted row, which no transaction has locked or changed. */
const SAVE = statement('organization_save')`INSERT INTO organizations (id, name, plan, rate_limit_per_minute)
  SELECT $1::text, $2::text, $3::text, $4::int WHERE ${isNotPurged('$1::text')}
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, plan = excluded.plan,
    rate_limit_per_minute = excluded.rate_limit_per_minute,
    ${changed('organizations')}
  RETURNING xmax = 0 AS created`;

/** The event that led to the row of an organization */
export type CreationCause = 'onboarding' | 'first_token' | 'seed';

/** The event of a new organization. @param more targets and user that the event also names */
export const organizationCreated = (
  organization: Pick<Organization, 'id' | 'name'>,
  cause: CreationCause,
  more: { readonly targets?: readonly Target[]; readonly userId?: UserId } = {},
): NewAuditEvent => ({
  action: 'organization.created',
  targets: [{ type: 'organization', ...organization }, ...(more.targets ?? [])],
  changes: { name: { from: null, to: organization.name } },
  details: { cause, ...(more.userId !== undefined && { user_id: more.userId }) },
});

/**
 * Creates an organization that a token names, with its id as its name, unless it was purged. Of two concurrent first
 * requests one inserts. The author is the service, because no caller is admitted yet.
 */
export async function createOrganization(
  makeChange: MakeChange,
  id: OrganizationId,
  userId: UserId,
): Promise<void> {
  await makeChange(systemAuthor(id), async ({ connection, record }) => {
    const [created] = await connection.query<{ name: string }>(CREATE(id));
    if (created) await record(organizationCreated({ id, name: created.name }, 'first_token', { userId }));
  });
}

export type OrganizationStore = ReturnType<typeof createOrganizationStore>;

export const createOrganizationStore = (makeChange: MakeChange) => ({
  /** Creates the organization, or sets its name and plan. @returns false for an organization that was purged */
  save: ({ id, name, plan }: Pick<Organization, 'id' | 'name' | 'plan'>): Promise<boolean> =>
    makeChange(systemAuthor(id), async ({ connection, record }) => {
      const sent = SAVE(id, name, plan.name, plan.requestsPerMinute);
      const [saved] = await connection.query<{ created: boolean }>(sent);
      if (saved?.created) await record(organizationCreated({ id, name }, 'seed'));
      return saved !== undefined;
    }),
});

/** Returns a purged organization: requests that name it are counted, as on the free plan. */
export const purgedOrganization = (id: OrganizationId): Organization => ({
  id,
  name: id,
  plan: { name: 'free', requestsPerMinute: null },
  status: 'deleted',
  purgeAt: null,
  defaultRole: null,
  roleSource: 'local',
});

export const toOrganization = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  plan: { name: row.plan, requestsPerMinute: row.rate_limit_per_minute },
  status: row.status,
  purgeAt: row.purge_at,
  defaultRole: row.default_role,
  roleSource: row.role_source,
});
