import { DatabaseUnavailable } from '@legate/postgres';
import { LRUCache } from 'lru-cache';

/**
 * Lifetime of a value: a process admits a user at most this long after another process has ended their
 * membership.
 */
const CACHE_SECONDS = 1;
/** How long the last known value is used while the database is down */
const LAST_KNOWN_SECONDS = 600;
const MAX_CACHED = 10_000;

export interface Remembered<Value, Key extends string = string> {
  /** @throws {DatabaseUnavailable} if no value is known */
  get(key: Key): Promise<Value>;
  /** Drops a value that this process has changed; other processes see the change within a second. */
  forget(key: Key): void;
  /** Drops all keys with this prefix. */
  forgetAll(prefix: string): void;
}

/**
 * Caches values that every request needs, for one second; concurrent requests share one query. While the
 * database is down, the last known value is used for up to 10 minutes.
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
        const isRecent = cache.getRemainingTTL(key) >= (CACHE_SECONDS - LAST_KNOWN_SECONDS) * 1000;
        const lastKnown =
          err instanceof DatabaseUnavailable && isRecent && cache.get(key, { allowStale: true });
        if (!lastKnown) throw err;
        return lastKnown;
      }
    },
    forget(key) {
      cache.delete(key);
    },
    forgetAll(prefix) {
      for (const key of [...cache.keys()]) if (key.startsWith(prefix)) cache.delete(key);
    },
  };
}
