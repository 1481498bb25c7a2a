import type { OrganizationId } from '@legate/ids';
import type { TenantReader } from '../storage/reader.ts';

/** Counts of one organization on one day, since the last save */
export interface UsageCount {
  readonly organizationId: OrganizationId;
  /** `2026-01-31`, in UTC */
  readonly day: string;
  readonly requests: number;
  /** Number refused by the rate limit */
  readonly throttled: number;
}

/** The saved counts of a day */
export type UsageDay = Omit<UsageCount, 'organizationId'>;

export interface UsageStore {
  /**
   * Adds to the counts of any number of organizations, in one statement.
   * @throws {DatabaseUnavailable}
   */
  add(counts: readonly UsageCount[]): Promise<void>;
  /** The days that something was counted on, from the first to the last one. */
  read(organizationId: OrganizationId, firstDay: string, lastDay: string): Promise<readonly UsageDay[]>;
}

const ADD = 'SELECT add_usage($1, $2, $3, $4)';
const READ = `SELECT to_char(day, 'YYYY-MM-DD') AS day, requests::float8, throttled::float8 FROM usage_days
WHERE organization_id = $1 AND day BETWEEN $2 AND $3`;

export function createUsageStore(tenants: TenantReader): UsageStore {
  return {
    async add(counts) {
      const values = [
        counts.map((count) => count.organizationId),
        counts.map((count) => count.day),
        counts.map((count) => count.requests),
        counts.map((count) => count.throttled),
      ];
      await tenants.queryAsTenant('', { name: 'usage_add', text: ADD, values });
    },
    read: (organizationId, firstDay, lastDay) =>
      tenants.queryAsTenant<UsageDay>(organizationId, {
        name: 'usage_read',
        text: READ,
        values: [organizationId, firstDay, lastDay],
      }),
  };
}
