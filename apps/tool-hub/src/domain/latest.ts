import { LRUCache } from 'lru-cache';

/**
 * Keeps the `count` most recently used entries. It grows with its entries, whereas a cache with `max` allocates memory
 * for all of them when it is created.
 */
export const createLatest = <Value extends NonNullable<unknown>>(count: number): LRUCache<string, Value> =>
  new LRUCache<string, Value>({ maxSize: count, sizeCalculation: () => 1 });
