import type { OrganizationId } from '@legate/ids';
import type { TenantReader } from '../../storage/reader.ts';
import { statement } from '../../storage/statement.ts';

/** Counts of one organization on one day, since the last save */
export interface UsageCount {
  readonly organizationId: OrganizationId;
  /** `2026-01-31`, in UTC */
  readonly day: string;
  readonly requests: number;
  /** Number of requests refused by the rate limit */
  readonly throttled: number;
}

/** The saved counts of a day */
export type UsageDay = Omit<UsageCount, 'organizationId'>;

const ADD = statement('usage_add')`SELECT add_usage($1, $2, $3, $4)`;
const READ = statement(
  'usage_read',
)`SELECT to_char(day, 'YYYY-MM-DD') AS day, requests::float8, throttled::float8
FROM usage_days WHERE organization_id = $1 AND day BETWEEN $2 AND $3`;

export type UsageStore = ReturnType<typeof createUsageStore>;

export function createUsageStore(tenants: TenantReader) {
  return {
    /**
     * Adds to the counts of any number of organizations, in one statement.
     * @throws {DatabaseUnavailable}
     */
    async add(counts: readonly UsageCount[]): Promise<void> {
      const column = (name: keyof UsageCount) => counts.map((count) => count[name]);
      const sent = ADD(column('organizationId'), column('day'), column('requests'), column('throttled'));
      await tenants.queryAsTenant('', sent);
    },
    /** Returns the days with counts, from the first to the last one. */
    read: (organizationId: OrganizationId, firstDay: string, lastDay: string) =>
      tenants.queryAsTenant<UsageDay>(organizationId, READ(organizationId, firstDay, lastDay)),
  };
}
