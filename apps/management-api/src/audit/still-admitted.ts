import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { type Role, roleHas } from '../domain/rights.ts';
import type { TrailReader } from './visible.ts';

const FIND = `SELECT o.status, m.role, m.removed_at IS NOT NULL AS removed FROM organizations o
LEFT JOIN members m ON m.organization_id = o.id AND m.user_id = $2 WHERE o.id = $1`;

/** Returns true where the reader of a long answer would still be admitted to it: read from the database each time. */
export async function isStillAdmitted(
  tenants: Pick<TenantDatabase, 'queryAsTenant'>,
  organizationId: OrganizationId,
  reader: TrailReader,
): Promise<boolean> {
  const [row] = await tenants.queryAsTenant<{ status: string; role: Role | null; removed: boolean }>(
    organizationId,
    { name: 'export_still_admitted', text: FIND, values: [organizationId, reader.userId] },
  );
  const role = row?.role ?? reader.role;
  return row !== undefined && row.status === 'active' && !row.removed && roleHas(role, 'audit:export');
}
