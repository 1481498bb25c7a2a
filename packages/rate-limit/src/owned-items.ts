export type OwnedItems = ReturnType<typeof createOwnedItems>;

/** Remembers items of owners, at most `max` in all: beyond that, the owner with the most loses the oldest. */
export function createOwnedItems(max: number) {
  const owners = new Map<string, Set<string>>();
  let size = 0;

  function remove(owner: string, item: string): void {
    const items = owners.get(owner);
    if (!items?.delete(item)) return;
    size -= 1;
    if (items.size === 0) owners.delete(owner);
  }

  function dropOldestOfBusiest(): void {
    let most: [owner: string, items: Set<string>] | undefined;
    for (const each of owners) if (!most || each[1].size > most[1].size) most = each;
    const [oldest] = most?.[1] ?? [];
    if (most && oldest !== undefined) remove(most[0], oldest);
  }

  return {
    has: (owner: string, item: string): boolean => owners.get(owner)?.has(item) === true,
    /** Adds an item, or makes it the latest of its owner. */
    add(owner: string, item: string): void {
      remove(owner, item);
      if (size >= max) dropOldestOfBusiest();
      const items = owners.get(owner) ?? new Set();
      owners.set(owner, items.add(item));
      size += 1;
    },
  };
}
