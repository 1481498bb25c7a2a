/**
 * Remembers which names were given up, for calls that had begun by then.
 * @param max names to remember
 */
export function createGivenUpNames(max = 10_000) {
  /** Counts what is given up. */
  let now = 0;
  const nowByName = new Map<string, number>();
  /** What was given up until then is not known any more. */
  let knownSince = 0;

  return {
    now: (): number => now,
    add(name: string): void {
      now += 1;
      nowByName.delete(name);
      nowByName.set(name, now);
      const [oldest] = nowByName;
      if (nowByName.size <= max || !oldest) return;
      nowByName.delete(oldest[0]);
      knownSince = oldest[1];
    },
    addAll(): void {
      now += 1;
      knownSince = now;
    },
    /** Returns true if one of them was given up later than `since`, and where that is not known. */
    hasSince: (since: number, names: readonly string[]): boolean =>
      since < knownSince || names.some((name) => (nowByName.get(name) ?? 0) > since),
  };
}
