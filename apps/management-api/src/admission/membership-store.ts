import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Role } from '../domain/rights.ts';
import { CHANGED } from '../storage/columns.ts';
import { statement } from '../storage/statement.ts';

/** The organization's own record of a user, which takes precedence over the token. */
export type Membership =
  | { readonly state: 'unknown' }
  | { readonly state: 'removed' }
  | ({
      readonly state: 'active';
      readonly role: Role;
      /** The issuer of the member's last token; null: not known */
      readonly issuer: string | null;
    } & Seen);

/** A user's data as last seen in a token */
export interface Seen {
  readonly email: string | null;
  readonly name: string | null;
}

const FIND = statement(
  'membership_find',
)`SELECT role, email, name, issuer, removed_at IS NOT NULL AS removed FROM members
WHERE organization_id = $1 AND user_id = $2`;
/** Several processes may see it at the same time: one changes the row. */
const SAVE_SEEN = statement('membership_seen')`UPDATE members SET email = $3, name = $4, ${CHANGED}
WHERE organization_id = $1 AND user_id = $2 AND removed_at IS NULL AND (email, name) IS DISTINCT FROM ($3, $4)`;
/** Does not change the version: members are shown without it. */
const SAVE_ISSUER = statement('membership_issuer')`UPDATE members SET issuer = $3
WHERE organization_id = $1 AND user_id = $2 AND removed_at IS NULL AND issuer IS DISTINCT FROM $3`;

export type MembershipStore = ReturnType<typeof createMembershipStore>;

export function createMembershipStore(tenants: TenantDatabase) {
  return {
    async find(organizationId: OrganizationId, userId: UserId): Promise<Membership> {
      const [row] = await tenants.queryAsTenant<
        { role: Role; issuer: string | null; removed: boolean } & Seen
      >(organizationId, FIND(organizationId, userId));
      if (!row) return { state: 'unknown' };
      const { removed, ...member } = row;
      return removed ? { state: 'removed' } : { state: 'active', ...member };
    },
    async saveSeen(organizationId: OrganizationId, userId: UserId, { email, name }: Seen) {
      await tenants.queryAsTenant(organizationId, SAVE_SEEN(organizationId, userId, email, name));
    },
    async saveIssuer(organizationId: OrganizationId, userId: UserId, issuer: string) {
      await tenants.queryAsTenant(organizationId, SAVE_ISSUER(organizationId, userId, issuer));
    },
  };
}
