import type { OrganizationId } from '@legate/ids';
import { type Role, roleHas } from '../domain/rights.ts';
import type { TenantReader } from '../storage/reader.ts';
import { statement } from '../storage/statement.ts';
import type { TrailReader } from './visible.ts';

const FIND = statement(
  'export_still_admitted',
)`SELECT o.status, m.role, m.removed_at IS NOT NULL AS removed FROM organizations o
LEFT JOIN members m ON m.organization_id = o.id AND m.user_id = $2 WHERE o.id = $1`;

/**
 * Returns true where the reader of a long answer would still be admitted to it: read from the database each time.
 * @param tenants not a replica, which may not know yet that they were removed
 */
export async function isStillAdmitted(
  tenants: TenantReader,
  organizationId: OrganizationId,
  reader: TrailReader,
): Promise<boolean> {
  const [row] = await tenants.queryAsTenant<{ status: string; role: Role | null; removed: boolean }>(
    organizationId,
    FIND(organizationId, reader.userId),
  );
  const role = row?.role ?? reader.role;
  return row !== undefined && row.status === 'active' && !row.removed && roleHas(role, 'audit:export');
}
