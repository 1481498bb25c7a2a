import type { OrganizationId } from '@legate/ids';
import { type Page, toPage } from '@legate/pagination';
import { dayRangeOf, periodOf, toDate } from './days.ts';
import type { UsageStore } from './store.ts';
import type { ListUsage, Usage } from './usage.ts';

export type UsageReport = ReturnType<typeof createUsageReport>;

export function createUsageReport(deps: { store: Pick<UsageStore, 'read'>; clock: () => Date }) {
  return {
    /**
     * Returns each day of the range, oldest first, including days without requests, so that a chart has no
     * gaps and the total is known.
     * @throws {Problem} 400 for an empty range, or one of more than 90 days
     */
    async list(organizationId: OrganizationId, query: ListUsage): Promise<Page<Usage>> {
      const { from, to } = dayRangeOf(query, deps.clock());
      const total = to - from;
      const first = from + query.offset;
      const last = Math.min(first + query.limit, to) - 1;
      if (first > last) return toPage([], total, query);
      const saved = await deps.store.read(organizationId, toDate(first), toDate(last));
      const countsOf = new Map(saved.map((count) => [count.day, count]));
      const days = Array.from({ length: last - first + 1 }, (_, index): Usage => {
        const day = first + index;
        const { requests = 0, throttled = 0 } = countsOf.get(toDate(day)) ?? {};
        return { ...periodOf({ from: day, to: day + 1 }), requests, throttled, embed_sessions: 0 };
      });
      return toPage(days, total, query);
    },
  };
}
