import type { NamedStatement, TenantDatabase } from '@legate/postgres';
import { statement } from '../../storage/statement.ts';

/**
 * The kinds of data that are purged, in this order: an organization's data is deleted in separate batches before the
 * organization. Of members only name and address are erased.
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
  'service_accounts',
  'api_keys',
  'invitations',
] as const;
export type Purged = (typeof PURGED)[number];

const PURGE = statement('purge')`SELECT purge($1, $2, $3) AS gone`;
const ERASE_MEMBERS = statement('erase_members')`SELECT erase_removed_members($1, $2) AS gone`;
const PURGE_INVITATIONS = statement('purge_invitations')`SELECT purge_invitations($1, $2) AS gone`;
const PURGE_MACHINES = statement('purge_machines')`SELECT purge_machines($1, $2, $3) AS gone`;
const DROP_AUDIT_MONTHS = statement('drop_audit_partitions')`SELECT drop_audit_partitions($1, $2) AS dropped`;

export type PurgeStore = ReturnType<typeof createPurgeStore>;

/** The statements run without an organization: the functions run as the owner of the tables, and can only purge. */
export function createPurgeStore(tenants: TenantDatabase) {
  return {
    /**
     * Deletes some of the due data of all organizations. The database decides what is due, by its own clock
     * or `now`, whichever is earlier.
     * @returns the number of deleted rows, or undefined if another process is purging
     */
    async deleteDue(what: Purged, now: Date, atMost: number): Promise<number | undefined> {
      const [row] = await tenants.queryAsTenant<{ gone: number | null }>('', purgeOf(what, now, atMost));
      return row?.gone ?? undefined;
    },
    /**
     * @returns the number of months of the audit trail that were dropped: those that ended at least
     * `monthsKept` months ago
     */
    async dropAuditMonths(now: Date, monthsKept: number): Promise<number> {
      const drop = DROP_AUDIT_MONTHS(now, monthsKept);
      const [row] = await tenants.queryAsTenant<{ dropped: number }>('', drop);
      return row?.dropped ?? 0;
    },
  };
}

function purgeOf(what: Purged, now: Date, atMost: number): NamedStatement {
  switch (what) {
    case 'members':
      return ERASE_MEMBERS(now, atMost);
    case 'service_accounts':
    case 'api_keys':
      return PURGE_MACHINES(what, now, atMost);
    case 'invitations':
      return PURGE_INVITATIONS(now, atMost);
    default:
      return PURGE(what, now, atMost);
  }
}
