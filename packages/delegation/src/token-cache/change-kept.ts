import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import { type Kept, NOTHING_KEPT, parseKept, serializeKept } from './token-record.ts';

/** Limit for concurrent changes by several processes; a lost change costs a token request. */
const MAX_CHANGE_ATTEMPTS = 4;

/**
 * Changes the entry of a key. After a concurrent change, starts again from the new value. The entry keeps its time to
 * live, which is never longer than that of a token added later.
 */
export async function changeKept(
  store: SecureStore,
  key: string,
  ttlSeconds: number,
  next: (kept: Kept) => Kept,
): Promise<void> {
  for (let attempts = 0; attempts < MAX_CHANGE_ATTEMPTS; attempts += 1) {
    const [text] = await store.getMany([key]);
    if (text instanceof UnreadableEntry) {
      const made = next(NOTHING_KEPT);
      await (isEmpty(made) ? store.delete(key) : store.set(key, serializeKept(made), ttlSeconds));
      return;
    }
    const before = text === undefined ? NOTHING_KEPT : parseKept(text);
    const made = next(before);
    if (made === before || (text === undefined && isEmpty(made))) return;
    const isChanged =
      text === undefined
        ? await store.add(key, serializeKept(made), ttlSeconds)
        : await store.replace(key, text, isEmpty(made) ? undefined : serializeKept(made));
    if (isChanged) return;
  }
}

const isEmpty = ({ tokens, demands }: Kept): boolean => tokens.length === 0 && demands.length === 0;
