import type { TenantDatabase } from '@legate/postgres';

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

export interface PurgeStore {
  /**
   * Deletes some of the due data of all organizations. The database decides what is due, by the earlier of its clock
   * and `now`.
   * @returns how many, or undefined if another process is purging
   */
  deleteDue(what: Purged, now: Date, atMost: number): Promise<number | undefined>;
  /** @returns how many months of the audit trail were dropped: those that ended `monthsKept` months ago or earlier */
  dropAuditMonths(now: Date, monthsKept: number): Promise<number>;
}

/** No organization is the tenant: the two functions run as the owner of the tables, and can do nothing else. */
export function createPurgeStore(tenants: TenantDatabase): PurgeStore {
  return {
    async deleteDue(what, now, atMost) {
      const [row] = await tenants.queryAsTenant<{ gone: number | null }>('', {
        name: what === 'members' ? 'erase_members' : 'purge',
        ...(what === 'members'
          ? { text: "SELECT erase_removed_members($2, $3) AS gone WHERE $1 = 'members'" }
          : { text: 'SELECT purge($1, $2, $3) AS gone' }),
        values: [what, now, atMost],
      });
      return row?.gone ?? undefined;
    },
    async dropAuditMonths(now, monthsKept) {
      const [row] = await tenants.queryAsTenant<{ dropped: number }>('', {
        name: 'drop_audit_partitions',
        text: 'SELECT drop_audit_partitions($1, $2) AS dropped',
        values: [now, monthsKept],
      });
      return row?.dropped ?? 0;
    },
  };
}
