import type { OrganizationId } from '@legate/ids';
import { type Page, toPage } from '@legate/pagination';
import { validationFailed } from '@legate/service';
import type { UsageStore } from './store.ts';
import type { ListUsage, Usage } from './usage.ts';

const DAY_MS = 24 * 3600 * 1000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;

export type UsageReport = ReturnType<typeof createUsageReport>;

export function createUsageReport(deps: { store: Pick<UsageStore, 'read'>; clock: () => Date }) {
  return {
    /**
     * Each day of the range, oldest first, also one without a request: so a chart has no holes, and the total is known.
     * @throws {Problem} 400 for a range without a day, or of more than 90
     */
    async list(organizationId: OrganizationId, query: ListUsage): Promise<Page<Usage>> {
      const today = Math.floor(deps.clock().getTime() / DAY_MS);
      const to = query.to === undefined ? today + 1 : toDay(query.to);
      const from = query.from === undefined ? to - DEFAULT_DAYS : toDay(query.from);
      const total = to - from;
      if (total < 1) throw outOfRange('Must be before "to", which is not part of the range.');
      if (total > MAX_DAYS) throw outOfRange(`At most ${MAX_DAYS} days before "to".`);

      const first = from + query.offset;
      const last = Math.min(first + query.limit, to) - 1;
      if (first > last) return toPage([], total, query);
      const saved = await deps.store.read(organizationId, toDate(first), toDate(last));
      const countsOf = new Map(saved.map((count) => [count.day, count]));
      const days = Array.from({ length: last - first + 1 }, (_, index): Usage => {
        const day = first + index;
        const { requests = 0, throttled = 0 } = countsOf.get(toDate(day)) ?? {};
        const [period_start, period_end] = [toInstant(day), toInstant(day + 1)];
        return { period_start, period_end, requests, throttled, embed_sessions: 0 };
      });
      return toPage(days, total, query);
    },
  };
}

/** Days since the epoch, in UTC */
const toDay = (date: string): number => Date.parse(date) / DAY_MS;
const toInstant = (day: number): string => new Date(day * DAY_MS).toISOString();
const toDate = (day: number): string => toInstant(day).slice(0, 10);

const outOfRange = (detail: string) =>
  validationFailed([{ parameter: 'from', code: 'out_of_range', detail }]);
