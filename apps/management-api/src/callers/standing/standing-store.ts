import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { MakeChange } from '../../changes/change.ts';
import type { ServiceAccountId } from '../../domain/ids.ts';
import type { Role, ServiceAccountRole } from '../../domain/rights.ts';
import { statement } from '../../storage/statement.ts';
import type { Account, ApiKey } from './machine-store.ts';
import {
  createOrganization,
  ORGANIZATION_COLUMNS,
  type Organization,
  type OrganizationRow,
  purgedOrganization,
  toOrganization,
} from './organization-store.ts';

/** The reason why the organization denies a user access */
export type KeptOut = 'deactivated' | 'denied' | 'removed';

/** The organization's own record of a user, which takes precedence over the token. */
export type Membership =
  | { readonly state: 'unknown' }
  | { readonly state: 'kept_out'; readonly status: KeptOut }
  | ({
      readonly state: 'active';
      readonly role: Role;
      /** `iat` of the last token whose roles were applied, in epoch seconds; null if there was none */
      readonly roleClaimedAt: number | null;
      /** Tokens issued at this time or before are refused, in epoch seconds; null: none is refused for that reason */
      readonly accessRevokedAt: number | null;
    } & Seen);

/** A user's data as last seen in a token */
export interface Seen {
  /** Null: the issuer is not known */
  readonly issuer: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly lastSeenAt: Date | null;
}

/** The data that decides whether a request is admitted */
export interface Standing {
  readonly organization: Organization;
  readonly membership: Membership;
  /** Applications that the user has denied, as tokens name them */
  readonly deniedClients: readonly string[];
  /** The machine that is registered for the caller; undefined for a person */
  readonly account?: Account | undefined;
  /** The API key with which the machine authenticated; undefined if it used a token of the identity provider */
  readonly key?: ApiKey | undefined;
}

const FIND = statement(
  'standing_find',
)`SELECT ${ORGANIZATION_COLUMNS}, t.organization_id IS NOT NULL AS purged,
  m.user_id IS NOT NULL AS known, m.removed_at IS NOT NULL AS removed, m.kept_out,
  m.role, m.issuer, m.email, m.email_verified, m.name AS member_name, m.last_seen_at,
  extract(epoch FROM m.role_claimed_at)::float8 AS role_claimed_at,
  extract(epoch FROM m.access_revoked_at)::float8 AS access_revoked_at,
  s.id AS account_id, s.name AS account_name, s.role AS account_role, s.status AS account_status,
  s.confirmed_at IS NOT NULL AS confirmed,
  ARRAY(SELECT d.client_id FROM client_consents d
    WHERE d.organization_id = o.id AND d.user_id = $2 AND d.decision = 'deny') AS denied_clients
FROM (SELECT $1::text AS id) named LEFT JOIN organizations o ON o.id = named.id
  LEFT JOIN organization_tombstones t ON t.organization_id = named.id
  LEFT JOIN members m ON m.organization_id = o.id AND m.user_id = $2
  LEFT JOIN service_accounts s ON s.organization_id = o.id AND s.issuer = $3 AND s.client_subject = $2 AND s.deleted_at IS NULL`;
/** Changes the row once if several processes see the same data. */
const SAVE_SEEN = statement('member_seen')`UPDATE members
SET email = $3, name = $4, issuer = $5, email_verified = $6, last_seen_at = $7,
  version = CASE WHEN (email, name) IS DISTINCT FROM ($3, $4) THEN version + 1 ELSE version END,
  updated_at = CASE WHEN (email, name) IS DISTINCT FROM ($3, $4) THEN clock_timestamp() ELSE updated_at END
WHERE organization_id = $1 AND user_id = $2 AND removed_at IS NULL
  AND (email, name, issuer, email_verified, last_seen_at) IS DISTINCT FROM ($3, $4, $5, $6, $7::timestamptz)`;

interface Row extends Omit<OrganizationRow, 'id'> {
  /** Null if the organization does not exist */
  id: OrganizationId | null;
  purged: boolean;
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
  access_revoked_at: number | null;
  denied_clients: string[];
  account_id: ServiceAccountId | null;
  account_name: string;
  account_role: ServiceAccountRole;
  account_status: Account['status'];
  confirmed: boolean;
}

export type StandingStore = ReturnType<typeof createStandingStore>;

/** @param deps.issuer issuer of the tokens with which clients act as service accounts */
export function createStandingStore(deps: {
  tenants: TenantDatabase;
  makeChange: MakeChange;
  issuer: string;
}) {
  const { tenants, makeChange, issuer } = deps;
  /** Returns undefined for an organization that does not exist yet. */
  async function find(organizationId: OrganizationId, userId: UserId): Promise<Standing | undefined> {
    const [row] = await tenants.queryAsTenant<Row>(organizationId, FIND(organizationId, userId, issuer));
    // Checked even if the row exists again: only the operator can allow the organization again.
    if (row?.purged) {
      const organization = purgedOrganization(organizationId);
      return { organization, membership: { state: 'unknown' }, deniedClients: [] };
    }
    if (!row || row.id === null) return undefined;
    const organization = toOrganization({ ...row, id: row.id });
    return {
      organization,
      membership: toMembership(row),
      deniedClients: row.denied_clients,
      account: toAccount(row),
    };
  }
  return {
    /** Reads a user's standing, and creates the organization if it does not exist yet. */
    async find(organizationId: OrganizationId, userId: UserId): Promise<Standing> {
      const known = await find(organizationId, userId);
      if (known) return known;
      await createOrganization(makeChange, organizationId, userId);
      const created = await find(organizationId, userId);
      if (!created) throw new Error('an organization cannot be read back');
      return created;
    },
    /** Changes an active member, and their version only if the name or address changes. */
    async saveSeen(organizationId: OrganizationId, userId: UserId, seen: Seen) {
      const { email, name, issuer, emailVerified, lastSeenAt } = seen;
      const save = SAVE_SEEN(organizationId, userId, email, name, issuer, emailVerified, lastSeenAt);
      await tenants.queryAsTenant(organizationId, save);
    },
  };
}

const toAccount = (row: Row): Account | undefined =>
  row.account_id === null
    ? undefined
    : {
        id: row.account_id,
        name: row.account_name,
        role: row.account_role,
        status: row.account_status,
        isConfirmed: row.confirmed,
      };

function toMembership(row: Row): Membership {
  if (!row.known) return { state: 'unknown' };
  if (row.removed) return { state: 'kept_out', status: row.kept_out ?? 'removed' };
  return {
    state: 'active',
    role: row.role,
    roleClaimedAt: row.role_claimed_at,
    accessRevokedAt: row.access_revoked_at,
    issuer: row.issuer,
    email: row.email,
    emailVerified: row.email_verified,
    name: row.member_name,
    lastSeenAt: row.last_seen_at,
  };
}
