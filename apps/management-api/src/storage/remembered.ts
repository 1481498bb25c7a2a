import { DatabaseUnavailable } from '@legate/postgres';
import { LRUCache } from 'lru-cache';

const CACHE_SECONDS = 30;
const MAX_CACHED = 10_000;

export interface Remembered<Value, Key extends string = string> {
  /** @throws {DatabaseUnavailable} and nothing is known of it */
  get(key: Key): Promise<Value>;
  /** After a change by this process; the others see it within 30 seconds. */
  forget(key: Key): void;
}

/**
 * What every request asks for, asked for once in 30 seconds and once for many requests at the same time. While the
 * database is down, what was last known is used.
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
    // To forget a value must not fail the requests that wait for it; what they get is not kept.
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
