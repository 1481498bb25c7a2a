import type { TenantDatabase } from '@legate/postgres';
import { statement } from '../storage/statement.ts';

/**
 * In this order: an organization's data is deleted in separate batches before the organization. Of members only name and
 * address are erased.
 */
export const PURGED = [
  'origins',
  'sites',
  'agents',
  'connectors',
  'organizations',
  'onboarding_sessions',
  'idempotency_keys',
  'members',
] as const;
export type Purged = (typeof PURGED)[number];

const PURGE = statement('purge')`SELECT purge($1, $2, $3) AS gone`;
const ERASE_MEMBERS = statement('erase_members')`SELECT erase_removed_members($1, $2) AS gone`;
const DROP_AUDIT_MONTHS = statement('drop_audit_partitions')`SELECT drop_audit_partitions($1, $2) AS dropped`;

export type PurgeStore = ReturnType<typeof createPurgeStore>;

/** No organization is the tenant: the functions run as the owner of the tables, and can do nothing else. */
export function createPurgeStore(tenants: TenantDatabase) {
  return {
    /**
     * Deletes some of the due data of all organizations. The database decides what is due, by the earlier of its clock
     * and `now`.
     * @returns how many, or undefined if another process is purging
     */
    async deleteDue(what: Purged, now: Date, atMost: number): Promise<number | undefined> {
      const purge = what === 'members' ? ERASE_MEMBERS(now, atMost) : PURGE(what, now, atMost);
      const [row] = await tenants.queryAsTenant<{ gone: number | null }>('', purge);
      return row?.gone ?? undefined;
    },
    /** @returns how many months of the audit trail were dropped: those that ended `monthsKept` months ago or earlier */
    async dropAuditMonths(now: Date, monthsKept: number): Promise<number> {
      const drop = DROP_AUDIT_MONTHS(now, monthsKept);
      const [row] = await tenants.queryAsTenant<{ dropped: number }>('', drop);
      return row?.dropped ?? 0;
    },
  };
}
