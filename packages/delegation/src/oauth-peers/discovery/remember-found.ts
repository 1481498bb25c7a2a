import { createSingleFlight } from '@legate/single-flight';
import { LRUCache } from 'lru-cache';

/**
 * Maximum number of results. Administrators may change a connector's URL at any time, and each URL has its own
 * document.
 */
const MAX_PLACES = 1000;

/**
 * Caches a result while it is fresh; concurrent callers share one fetch; failures are not cached.
 * @param options.keyOf all inputs of the fetch
 * @param options.maxAgeSeconds undefined for a failure
 */
export function rememberFound<Where, Result>(options: {
  read: (where: Where) => Promise<Result>;
  keyOf: (where: Where) => string;
  maxAgeSeconds: (result: Result) => number | undefined;
  clock: () => Date;
  maxPlaces?: number;
}): (where: Where) => Promise<Result> {
  const found = new LRUCache<string, { result: Result; freshUntilMs: number }>({
    max: options.maxPlaces ?? MAX_PLACES,
  });
  const reading = createSingleFlight<Result>();

  async function read(key: string, where: Where): Promise<Result> {
    const result = await options.read(where);
    const seconds = options.maxAgeSeconds(result);
    if (seconds !== undefined)
      found.set(key, { result, freshUntilMs: options.clock().getTime() + seconds * 1000 });
    return result;
  }

  return async (where) => {
    const key = options.keyOf(where);
    const known = found.get(key);
    if (known && options.clock().getTime() < known.freshUntilMs) return known.result;
    return reading.run(key, key, () => read(key, where));
  };
}
