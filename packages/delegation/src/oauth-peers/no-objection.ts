import { LRUCache } from 'lru-cache';

/** The time until the next question. With none, a connector that works by a fallback would cause an exchange with each call. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Remembers for a minute that somebody had no objection.
 * @param ask returns the objection
 * @returns `ask`, which is called only if the answer is not remembered
 */
export function rememberNoObjection<Objection>({ clock }: { clock: () => Date }) {
  const noObjection = new LRUCache<string, number>({ maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 });
  return async (
    key: readonly unknown[],
    ask: () => Promise<Objection | undefined>,
  ): Promise<Objection | undefined> => {
    const name = JSON.stringify(key);
    const askedAtMs = noObjection.get(name);
    if (askedAtMs !== undefined && clock().getTime() - askedAtMs < REMEMBERED_MS) return undefined;
    const objection = await ask();
    if (!objection) noObjection.set(name, clock().getTime());
    return objection;
  };
}
