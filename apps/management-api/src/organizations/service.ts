import { DatabaseUnavailable } from '@legate/postgres';
import { LRUCache } from 'lru-cache';
import type { Organization, OrganizationStore } from './store.ts';

const CACHE_SECONDS = 30;
const MAX_CACHED = 10_000;

export interface Organizations {
  /**
   * The organization of a valid token. A change of its plan or status is seen within 30 seconds; while the database is
   * down, what was last known of it is used.
   * @throws {DatabaseUnavailable} and nothing is known of it
   */
  get(id: string): Promise<Organization>;
}

export function createOrganizations(deps: { store: OrganizationStore; clock: () => Date }): Organizations {
  // Its fetch asks once for many requests at the same time.
  const cache = new LRUCache<string, Organization>({
    max: MAX_CACHED,
    ttl: CACHE_SECONDS * 1000,
    ttlResolution: 0,
    perf: { now: () => deps.clock().getTime() },
    fetchMethod: (id) => deps.store.findOrCreate(id),
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
  });
  return {
    async get(id) {
      try {
        return await cache.forceFetch(id);
      } catch (err) {
        const lastKnown = err instanceof DatabaseUnavailable && cache.get(id, { allowStale: true });
        if (!lastKnown) throw err;
        return lastKnown;
      }
    },
  };
}
