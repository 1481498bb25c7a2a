import { LRUCache } from 'lru-cache';
import type { MakeChange } from '../../changes/change.ts';
import type { Author } from '../../domain/author.ts';
import type { KeyStanding, MachineStore } from '../standing/machine-store.ts';

const MINUTE_MS = 60_000;
/** Maximum age of the cached data of a key, and the pause after a failure */
const PAUSE_MS = 30_000;
const MAX_NOTED = 10_000;

/**
 * Saves when and from which address a key was last used, at most once a minute, and records its first use. Never
 * throws, because it must not fail the request.
 */
export type NoteKeyUsed = (standing: KeyStanding, author: () => Author) => Promise<void>;

export function createNoteKeyUsed(deps: {
  store: Pick<MachineStore, 'noteUsed'>;
  makeChange: MakeChange;
  clock: () => Date;
  onLost: (err: unknown) => void;
}): NoteKeyUsed {
  const { store, makeChange, clock, onLost } = deps;
  const noted = new LRUCache<string, true>({
    max: MAX_NOTED,
    ttl: PAUSE_MS,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });

  return async ({ organization, key }, author) => {
    const now = clock();
    const minuteAgo = new Date(now.getTime() - MINUTE_MS);
    if (key.lastUsedAt !== null && key.lastUsedAt > minuteAgo) return;
    const name = `${organization.id}:${key.id}`;
    if (noted.has(name)) return;
    noted.set(name, true);
    const by = author();
    const isFirst = key.lastUsedAt === null;
    await makeChange(by, async (change) => {
      const before = isFirst ? new Date(0) : minuteAgo;
      const used = store.noteUsed(organization.id, key.id, now, by.ip, before);
      const [changed] = await change.connection.query(used);
      if (!changed || !isFirst) return;
      await change.record({
        action: 'api_key.first_used',
        targets: [{ type: 'api_key', id: key.id, name: key.name }],
      });
    }).catch(onLost);
  };
}
