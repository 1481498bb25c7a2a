import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Role } from '../domain/rights.ts';
import { CHANGED } from '../storage/columns.ts';

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

export interface MembershipStore {
  find(organizationId: OrganizationId, userId: UserId): Promise<Membership>;
  saveSeen(organizationId: OrganizationId, userId: UserId, seen: Seen): Promise<void>;
  saveIssuer(organizationId: OrganizationId, userId: UserId, issuer: string): Promise<void>;
}

const FIND = `SELECT role, email, name, issuer, removed_at IS NOT NULL AS removed FROM members
WHERE organization_id = $1 AND user_id = $2`;
/** Several processes may see it at the same time: one changes the row. */
const SAVE_SEEN = `UPDATE members SET email = $3, name = $4, ${CHANGED} WHERE organization_id = $1 AND user_id = $2
AND removed_at IS NULL AND (email, name) IS DISTINCT FROM ($3, $4)`;
/** Does not change the version: members are shown without it. */
const SAVE_ISSUER = `UPDATE members SET issuer = $3 WHERE organization_id = $1 AND user_id = $2
AND removed_at IS NULL AND issuer IS DISTINCT FROM $3`;

export function createMembershipStore(tenants: TenantDatabase): MembershipStore {
  return {
    async find(organizationId, userId) {
      const values = [organizationId, userId];
      const [row] = await tenants.queryAsTenant<
        { role: Role; issuer: string | null; removed: boolean } & Seen
      >(organizationId, { name: 'membership_find', text: FIND, values });
      if (!row) return { state: 'unknown' };
      const { removed, ...member } = row;
      return removed ? { state: 'removed' } : { state: 'active', ...member };
    },
    async saveSeen(organizationId, userId, { email, name }) {
      const values = [organizationId, userId, email, name];
      await tenants.queryAsTenant(organizationId, { name: 'membership_seen', text: SAVE_SEEN, values });
    },
    async saveIssuer(organizationId, userId, issuer) {
      const values = [organizationId, userId, issuer];
      await tenants.queryAsTenant(organizationId, { name: 'membership_issuer', text: SAVE_ISSUER, values });
    },
  };
}
