import { LRUCache } from 'lru-cache';

/**
 * Keeps the entries that were used last, `count` of them at most. It grows with its entries, where a cache with `max` takes
 * the memory of all of them when it is made.
 */
export const createLatest = <Value extends NonNullable<unknown>>(count: number): LRUCache<string, Value> =>
  new LRUCache<string, Value>({ maxSize: count, sizeCalculation: () => 1 });
