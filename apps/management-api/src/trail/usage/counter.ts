import type { OrganizationId } from '@legate/ids';
import { dayOf, toDate } from './days.ts';
import type { UsageStore } from './store.ts';

/**
 * Maximum number of pairs of organization and day, a few megabytes. It is reached only if the database is
 * down for long.
 */
const MAX_COUNTS = 20_000;

interface Count {
  readonly organizationId: OrganizationId;
  /** Days since the epoch */
  readonly day: number;
  requests: number;
  throttled: number;
}

export type UsageCounter = ReturnType<typeof createUsageCounter>;

/**
 * Counts in this process. If the process dies, the counts since its last flush are lost.
 * @param deps.onLost called for a request that is not counted, because too many counts wait to be saved
 */
export function createUsageCounter(deps: {
  store: Pick<UsageStore, 'add'>;
  clock: () => Date;
  onLost: (requests: number) => void;
  maxCounts?: number;
}) {
  const { store, clock, onLost, maxCounts = MAX_COUNTS } = deps;
  let counts = new Map<string, Count>();

  function add({ organizationId, day, requests, throttled }: Count): void {
    const key = `${day} ${organizationId}`;
    const count = counts.get(key);
    if (count) {
      count.requests += requests;
      count.throttled += throttled;
    } else if (counts.size < maxCounts) {
      counts.set(key, { organizationId, day, requests, throttled });
    } else onLost(requests);
  }

  return {
    /** Counts a request, with one map look-up and no statement. */
    count(organizationId: OrganizationId, isThrottled: boolean) {
      const day = dayOf(clock());
      add({ organizationId, day, requests: 1, throttled: isThrottled ? 1 : 0 });
    },
    /**
     * Saves the counts since the last time. Counts that cannot be saved are kept for the next time; if only
     * the database's response was lost, they are counted twice.
     * @throws {DatabaseUnavailable}
     */
    async flush() {
      if (counts.size === 0) return;
      const taken = [...counts.values()];
      counts = new Map();
      try {
        await store.add(taken.map((count) => ({ ...count, day: toDate(count.day) })));
      } catch (err) {
        for (const count of taken) add(count);
        throw err;
      }
    },
  };
}
