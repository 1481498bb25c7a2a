/**
 * Remembers which names were given up, so that calls that began before can be recognised.
 * @param max names to remember
 */
export function createGivenUpNames(max = 10_000) {
  /** Counts the names given up so far, as a logical clock. */
  let now = 0;
  const nowByName = new Map<string, number>();
  /** The logical time up to which names have been forgotten. */
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
    /** Returns true if one of the names was given up after `since`, or if that is no longer known. */
    hasSince: (since: number, names: readonly string[]): boolean =>
      since < knownSince || names.some((name) => (nowByName.get(name) ?? 0) > since),
  };
}
