/** Remembers which assertions were redeemed. */
export interface OneTimeStore {
  /**
   * Resolves to true for the first use of a key within `ttlSeconds`, and to false for every later one; of two uses at
   * the same time exactly one resolves to true. While it rejects, nothing is redeemed.
   * @param key 43 characters of base64url, made by the tool server
   */
  useOnce(key: string, ttlSeconds: number): Promise<boolean>;
  /** True for a store that other processes do not share; refused in production. */
  readonly isPerProcess?: boolean;
}

/** Milliseconds between two removals of expired entries. */
const SWEEP_MS = 60_000;

/**
 * A store in the memory of this process. A second process of the same server would accept an assertion again, and so
 * would this one after a restart, until the assertion expires.
 * @param options.singleProcess true: there is one process and you accept the above, also in production
 */
export function memoryOneTimeStore(
  options: { singleProcess?: boolean; clock?: () => Date } = {},
): OneTimeStore {
  const clock = options.clock ?? (() => new Date());
  const usedUntil = new Map<string, number>();
  let sweepAt = 0;
  return {
    isPerProcess: options.singleProcess !== true,
    async useOnce(key, ttlSeconds) {
      const now = clock().getTime();
      if (now >= sweepAt) {
        for (const [each, until] of usedUntil) if (until <= now) usedUntil.delete(each);
        sweepAt = now + SWEEP_MS;
      }
      if ((usedUntil.get(key) ?? 0) > now) return false;
      usedUntil.set(key, now + wholeSeconds(ttlSeconds) * 1000);
      return true;
    },
  };
}

/** Rounds up to whole seconds, at least one: Redis refuses zero, and the time must not become shorter. */
export const wholeSeconds = (ttlSeconds: number): number => Math.max(1, Math.ceil(ttlSeconds));
