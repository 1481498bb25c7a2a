import { hash } from 'node:crypto';
import type { SecureStore } from '@legate/secure-store';

export type SessionSlots = ReturnType<typeof createSessionSlots>;

/**
 * Finds the sessions of a user or of a sign-in: each has a fixed number of slots that hold the keys of
 * sessions, so that all of them are read in one round trip.
 * @param count maximum number of sessions; when all slots are in use, a new session replaces the one in the
 * first slot
 */
export function createSessionSlots(store: SecureStore, kind: 'user' | 'sign-in', count: number) {
  const namesOf = (owner: string): string[] => {
    const digest = hash('sha256', owner, 'base64url');
    return Array.from({ length: count }, (_, index) => `sessions-of-${kind}:${digest}:${index}`);
  };
  async function keysOf(owner: string): Promise<string[]> {
    const entries = await store.getMany(namesOf(owner));
    return entries.map((entry) => (typeof entry === 'string' ? entry : ''));
  }
  return {
    keysOf: async (owner: string): Promise<string[]> => (await keysOf(owner)).filter(Boolean),
    /** @returns the key of the session that was replaced and must be ended, or undefined */
    async take(owner: string, key: string, ttlSeconds: number): Promise<string | undefined> {
      const names = namesOf(owner);
      for (const name of names) if (await store.add(name, key, ttlSeconds)) return undefined;
      const [first = ''] = names;
      const displaced = await store.getMany([first]);
      await store.set(first, key, ttlSeconds);
      return typeof displaced[0] === 'string' ? displaced[0] : undefined;
    },
    async free(owner: string, key: string): Promise<void> {
      const index = (await keysOf(owner)).indexOf(key);
      const name = namesOf(owner)[index];
      if (name !== undefined) await store.replace(name, key, undefined);
    },
  };
}
