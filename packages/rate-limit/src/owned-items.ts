export type OwnedItems = ReturnType<typeof createOwnedItems>;

/** An owner with the owners inside it, and so on. Only the innermost owners have items. */
interface Group {
  size: number;
  readonly groups: Map<string, Group>;
  /** The oldest first */
  readonly items: Set<string>;
}
const newGroup = (): Group => ({ size: 0, groups: new Map(), items: new Set() });

/**
 * Remembers at most `max` items of nested owners, so that no owner can displace the items of others. A new item is
 * always added. If there are too many, the oldest item of the owner with the most items is dropped: at each level, the
 * owner with the most items is chosen.
 */
export function createOwnedItems(max: number) {
  const all = newGroup();
  const ownerOf = new Map<string, readonly string[]>();

  function remove(item: string): void {
    const owner = ownerOf.get(item);
    if (owner && ownerOf.delete(item)) removeFrom(all, owner, item);
  }

  return {
    has: (item: string): boolean => ownerOf.has(item),
    remove,
    /**
     * Adds an item, or makes it the latest of its owner.
     * @param owner the outermost owner first, such as a site, a network in it, and a browser there
     * @returns the items that were dropped
     */
    add(owner: readonly string[], item: string): string[] {
      remove(item);
      const dropped: string[] = [];
      while (all.size >= max) {
        const oldest = oldestOfBusiest(all);
        if (oldest === undefined) break;
        remove(oldest);
        dropped.push(oldest);
      }
      ownerOf.set(item, owner);
      addTo(all, owner, item);
      return dropped;
    },
  };
}

function addTo(group: Group, [name, ...rest]: readonly string[], item: string): void {
  group.size += 1;
  if (name === undefined) return void group.items.add(item);
  const part = group.groups.get(name) ?? newGroup();
  group.groups.set(name, part);
  addTo(part, rest, item);
}

function removeFrom(group: Group, [name, ...rest]: readonly string[], item: string): void {
  group.size -= 1;
  group.items.delete(item);
  const part = name === undefined ? undefined : group.groups.get(name);
  if (name === undefined || !part) return;
  removeFrom(part, rest, item);
  if (part.size === 0) group.groups.delete(name);
}

function oldestOfBusiest(group: Group): string | undefined {
  let busiest: Group | undefined;
  for (const part of group.groups.values()) if (!busiest || part.size > busiest.size) busiest = part;
  return busiest ? oldestOfBusiest(busiest) : group.items.values().next().value;
}
