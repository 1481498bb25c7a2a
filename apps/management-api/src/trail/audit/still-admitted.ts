import type { OrganizationId } from '@legate/ids';
import { isOfRevokedAccess } from '../../domain/revoked-access.ts';
import { type Role, roleHas } from '../../domain/rights.ts';
import type { TenantReader } from '../../storage/reader.ts';
import { statement } from '../../storage/statement.ts';
import type { TrailReader } from './visible.ts';

const FIND = statement('export_still_admitted')`SELECT o.status, m.role, m.removed_at IS NOT NULL AS removed,
  extract(epoch FROM m.access_revoked_at)::float8 AS access_revoked_at,
  EXISTS (SELECT FROM client_consents d WHERE d.organization_id = $1 AND d.user_id = $2 AND d.client_id = $3
    AND d.decision = 'deny') AS denied FROM organizations o
LEFT JOIN members m ON m.organization_id = o.id AND m.user_id = $2 WHERE o.id = $1`;

const FIND_MACHINE = statement(
  'export_machine_still_admitted',
)`SELECT s.role FROM organizations o JOIN service_accounts s ON s.organization_id = o.id AND s.id = $2
WHERE o.id = $1 AND o.status = 'active' AND s.status = 'active' AND s.deleted_at IS NULL
  AND ($3::text IS NULL OR EXISTS (SELECT FROM api_keys k
    WHERE k.organization_id = o.id AND k.id = $3::text AND k.revoked_at IS NULL))`;

/**
 * Returns true if the reader of a long response would still be admitted; reads the database each time.
 * @param tenants not a replica, which may not have the removal of the reader yet
 */
export async function isStillAdmitted(
  tenants: TenantReader,
  organizationId: OrganizationId,
  reader: TrailReader,
): Promise<boolean> {
  if (reader.machine) {
    const { accountId, keyId } = reader.machine;
    const find = FIND_MACHINE(organizationId, accountId, keyId);
    const [machine] = await tenants.queryAsTenant<{ role: Role }>(organizationId, find);
    return machine !== undefined && roleHas(machine.role, 'audit:export');
  }
  const [row] = await tenants.queryAsTenant<{
    status: string;
    role: Role | null;
    removed: boolean;
    access_revoked_at: number | null;
    denied: boolean;
  }>(organizationId, FIND(organizationId, reader.userId, reader.clientId));
  if (!row || row.removed || row.denied || isOfRevokedAccess(row.access_revoked_at, reader)) return false;
  // Owners may export the audit trail even while the organization is suspended or deleted.
  const isOpen = row.status === 'active' || row.role === 'owner';
  return isOpen && roleHas(row.role ?? reader.role, 'audit:export');
}
