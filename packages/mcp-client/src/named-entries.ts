/**
 * Entries by key, which can also be found by names that several entries share. Ordered, the least recently used first.
 */
export function createNamedEntries<Entry extends { readonly names: readonly string[] }>() {
  const entries = new Map<string, Entry>();
  const keysByName = new Map<string, Set<string>>();

  return {
    get: (key: string): Entry | undefined => entries.get(key),
    /** Records a use. */
    touch(key: string, entry: Entry): void {
      entries.delete(key);
      entries.set(key, entry);
    },
    /** Adds an entry under a new key. */
    add(key: string, entry: Entry): void {
      entries.set(key, entry);
      for (const name of entry.names) keysByName.set(name, (keysByName.get(name) ?? new Set()).add(key));
    },
    remove(key: string, entry: Entry): void {
      entries.delete(key);
      for (const name of entry.names) {
        const keys = keysByName.get(name);
        keys?.delete(key);
        if (keys?.size === 0) keysByName.delete(name);
      }
    },
    clear(): void {
      entries.clear();
      keysByName.clear();
    },
    keysOf: (name: string): readonly string[] => [...(keysByName.get(name) ?? [])],
    all: (): IterableIterator<[string, Entry]> => entries.entries(),
    size: (): number => entries.size,
  };
}
