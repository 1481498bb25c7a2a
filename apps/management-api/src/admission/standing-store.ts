import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Role } from '../domain/rights.ts';
import { statement } from '../storage/statement.ts';
import {
  createOrganization,
  ORGANIZATION_COLUMNS,
  type Organization,
  type OrganizationRow,
  toOrganization,
} from './organization-store.ts';

/** Why the organization keeps somebody out */
export type KeptOut = 'deactivated' | 'denied' | 'removed';

/** The organization's own record of a user, which takes precedence over the token. */
export type Membership =
  | { readonly state: 'unknown' }
  | { readonly state: 'kept_out'; readonly status: KeptOut }
  | ({
      readonly state: 'active';
      readonly role: Role;
      /** `iat` of the last token whose roles were heeded, in epoch seconds; null: of none */
      readonly roleClaimedAt: number | null;
    } & Seen);

/** A user's data as last seen in a token */
export interface Seen {
  /** Null: not known */
  readonly issuer: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly lastSeenAt: Date | null;
}

/** What decides whether a request is admitted. */
export interface Standing {
  readonly organization: Organization;
  readonly membership: Membership;
}

const FIND = statement(
  'standing_find',
)`SELECT ${ORGANIZATION_COLUMNS}, m.user_id IS NOT NULL AS known, m.removed_at IS NOT NULL AS removed, m.kept_out,
  m.role, m.issuer, m.email, m.email_verified, m.name AS member_name, m.last_seen_at,
  extract(epoch FROM m.role_claimed_at)::float8 AS role_claimed_at
FROM organizations o LEFT JOIN members m ON m.organization_id = o.id AND m.user_id = $2 WHERE o.id = $1`;
/** Several processes may see it at the same time: one changes the row. */
const SAVE_SEEN = statement('member_seen')`UPDATE members
SET email = $3, name = $4, issuer = $5, email_verified = $6, last_seen_at = $7,
  version = CASE WHEN (email, name) IS DISTINCT FROM ($3, $4) THEN version + 1 ELSE version END,
  updated_at = CASE WHEN (email, name) IS DISTINCT FROM ($3, $4) THEN clock_timestamp() ELSE updated_at END
WHERE organization_id = $1 AND user_id = $2 AND removed_at IS NULL
  AND (email, name, issuer, email_verified, last_seen_at) IS DISTINCT FROM ($3, $4, $5, $6, $7::timestamptz)`;

interface Row extends OrganizationRow {
  known: boolean;
  removed: boolean;
  kept_out: 'deactivated' | 'denied' | null;
  role: Role;
  issuer: string | null;
  email: string | null;
  email_verified: boolean | null;
  member_name: string | null;
  last_seen_at: Date | null;
  role_claimed_at: number | null;
}

export type StandingStore = ReturnType<typeof createStandingStore>;

export function createStandingStore(tenants: TenantDatabase) {
  const find = async (organizationId: OrganizationId, userId: UserId): Promise<Row | undefined> =>
    (await tenants.queryAsTenant<Row>(organizationId, FIND(organizationId, userId)))[0];
  return {
    /** Creates an organization that was never seen. */
    async find(organizationId: OrganizationId, userId: UserId): Promise<Standing> {
      const known = await find(organizationId, userId);
      if (known) return toStanding(known);
      await createOrganization(tenants, organizationId);
      const created = await find(organizationId, userId);
      if (!created) throw new Error('an organization cannot be read back');
      return toStanding(created);
    },
    /** Changes an active member, and the version only if name or address change. */
    async saveSeen(organizationId: OrganizationId, userId: UserId, seen: Seen) {
      const { email, name, issuer, emailVerified, lastSeenAt } = seen;
      const save = SAVE_SEEN(organizationId, userId, email, name, issuer, emailVerified, lastSeenAt);
      await tenants.queryAsTenant(organizationId, save);
    },
  };
}

const toStanding = (row: Row): Standing => ({
  organization: toOrganization(row),
  membership: toMembership(row),
});

function toMembership(row: Row): Membership {
  if (!row.known) return { state: 'unknown' };
  if (row.removed) return { state: 'kept_out', status: row.kept_out ?? 'removed' };
  return {
    state: 'active',
    role: row.role,
    roleClaimedAt: row.role_claimed_at,
    issuer: row.issuer,
    email: row.email,
    emailVerified: row.email_verified,
    name: row.member_name,
    lastSeenAt: row.last_seen_at,
  };
}
