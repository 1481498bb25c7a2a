import type { TenantDatabase } from '@legate/postgres';
import { statement } from '../storage/statement.ts';

/** In this order: an organization's data is deleted in separate batches before the organization. */
export const PURGED = [
  'origins',
  'sites',
  'agents',
  'connectors',
  'organizations',
  'onboarding_sessions',
  'idempotency_keys',
] as const;
export type Purged = (typeof PURGED)[number];

const PURGE = statement('purge')`SELECT purge($1, $2, $3) AS gone`;
const DROP = statement('drop_audit_partitions')`SELECT drop_audit_partitions($1, $2) AS dropped`;

export type PurgeStore = ReturnType<typeof createPurgeStore>;

/** No organization is the tenant: the two functions run as the owner of the tables, and can do nothing else. */
export function createPurgeStore(tenants: TenantDatabase) {
  return {
    /**
     * Deletes some of the due data of all organizations. The database decides what is due, by the earlier of its clock
     * and `now`.
     * @returns how many, or undefined if another process is purging
     */
    async deleteDue(what: Purged, now: Date, atMost: number) {
      const [row] = await tenants.queryAsTenant<{ gone: number | null }>('', PURGE(what, now, atMost));
      return row?.gone ?? undefined;
    },
    /** @returns how many months of the audit trail were dropped: those that ended `monthsKept` months ago or earlier */
    async dropAuditMonths(now: Date, monthsKept: number) {
      const [row] = await tenants.queryAsTenant<{ dropped: number }>('', DROP(now, monthsKept));
      return row?.dropped ?? 0;
    },
  };
}
