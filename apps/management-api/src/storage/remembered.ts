import { DatabaseUnavailable } from '@legate/postgres';
import { LRUCache } from 'lru-cache';

const CACHE_SECONDS = 30;
const MAX_CACHED = 10_000;

export interface Remembered<Value, Key extends string = string> {
  /** @throws {DatabaseUnavailable} and nothing is known of it */
  get(key: Key): Promise<Value>;
  /** After a change by this process; others see it within 30 seconds. */
  forget(key: Key): void;
}

/**
 * Caches what every request needs for 30 seconds; concurrent requests share one query. While the database is down, the
 * last known value is used.
 */
export function remember<Value extends object, Key extends string = string>(deps: {
  load: (key: Key) => Promise<Value>;
  clock: () => Date;
}): Remembered<Value, Key> {
  const cache = new LRUCache<Key, Value>({
    max: MAX_CACHED,
    ttl: CACHE_SECONDS * 1000,
    ttlResolution: 0,
    perf: { now: () => deps.clock().getTime() },
    fetchMethod: (key) => deps.load(key),
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
    // Dropping a value must not fail the requests that wait for it; their result is not cached.
    ignoreFetchAbort: true,
  });
  return {
    async get(key) {
      try {
        return await cache.forceFetch(key);
      } catch (err) {
        const lastKnown = err instanceof DatabaseUnavailable && cache.get(key, { allowStale: true });
        if (!lastKnown) throw err;
        return lastKnown;
      }
    },
    forget(key) {
      cache.delete(key);
    },
  };
}
