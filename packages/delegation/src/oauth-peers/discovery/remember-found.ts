import { createSingleFlight } from '@legate/single-flight';
import { LRUCache } from 'lru-cache';

/** Administrators may point a connector somewhere else as often as they like, and each place has a document of its own. */
const MAX_PLACES = 1000;

/**
 * Remembers what was found for as long as it is fresh; one reading at a time; failures are not remembered.
 * @param options.keyOf all that the reading depends on
 * @param options.maxAgeSeconds undefined for what was not found
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
