import type { TenantDatabase } from '@legate/postgres';
import type { Role } from '../caller/rights.ts';

/** What the organization itself says of a user, whatever the token says. */
export type Membership =
  | { readonly state: 'unknown' }
  | { readonly state: 'removed' }
  | { readonly state: 'active'; readonly role: Role };

export interface MembershipStore {
  find(organizationId: string, userId: string): Promise<Membership>;
}

const FIND = `SELECT role, removed_at IS NOT NULL AS removed FROM members
WHERE organization_id = $1 AND user_id = $2`;

export function createMembershipStore(tenants: TenantDatabase): MembershipStore {
  return {
    async find(organizationId, userId) {
      const values = [organizationId, userId];
      const [row] = await tenants.queryAsTenant<{ role: Role; removed: boolean }>(organizationId, {
        name: 'membership_find',
        text: FIND,
        values,
      });
      if (!row) return { state: 'unknown' };
      return row.removed ? { state: 'removed' } : { state: 'active', role: row.role };
    },
  };
}
