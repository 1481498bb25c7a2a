export type OwnedItems = ReturnType<typeof createOwnedItems>;

/** What there is of an owner, of an owner within that one, and so on; the innermost have items. */
interface Group {
  size: number;
  readonly groups: Map<string, Group>;
  /** The oldest first */
  readonly items: Set<string>;
}
const newGroup = (): Group => ({ size: 0, groups: new Map(), items: new Set() });

/**
 * Remembers items of owners, at most `max` in all, so that no owner can crowd out the items of others. There is always room
 * for a new item: beyond the bound, the owner with the most items gives way, and within it the one with the most, which
 * loses its oldest item.
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
     * @returns the items that gave way
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
