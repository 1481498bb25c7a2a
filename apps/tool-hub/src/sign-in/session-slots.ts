import { hash } from 'node:crypto';
import type { OrganizationId, UserId } from '@legate/ids';
import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import { z } from 'zod';
import { problem } from '../domain/problem-codes.ts';

/** A session's slot among those of its user; `text` is its stored value while the session holds it. */
export const Slot = z.object({ name: z.string(), text: z.string() });
export type Slot = z.output<typeof Slot>;

/** Limits the sessions of a user in an organization, because a stolen handle grants access. */
export type SessionSlots = ReturnType<typeof createSessionSlots>;

/** The user of the slots, in one organization */
interface Owner {
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
}

/** Opening time in epoch milliseconds, and the session's key */
const Occupant = z.tuple([z.number(), z.string()]);
const MAX_ATTEMPTS = 10;

/**
 * One entry per permitted session, claimed and released in one atomic step, so that two concurrent sessions take two
 * slots. An entry lasts as long as its session may.
 */
export function createSessionSlots(deps: {
  store: SecureStore;
  maxPerUser: number;
  /** Prefix of the names of slots. Sessions of another kind have separate slots. */
  prefix?: string;
  clock: () => Date;
}) {
  const { store, maxPerUser, prefix = 'session-slot:', clock } = deps;

  /** @returns undefined if no slot is free */
  async function takeFree(names: readonly string[], taken: readonly unknown[], text: string, ttl: number) {
    for (const [index, name] of names.entries())
      if (taken[index] === undefined && (await store.add(name, text, ttl))) return { name, text };
    return undefined;
  }

  const namesOf = ({ organizationId, userId }: Owner): readonly string[] => {
    const owner = hash('sha256', JSON.stringify([organizationId, userId]), 'base64url');
    return Array.from({ length: maxPerUser }, (_, index) => `${prefix}${owner}:${index}`);
  };

  return {
    /** Keys of the sessions that hold a slot, and when each was opened; some may have ended. */
    async occupantsOf(owner: Owner): Promise<readonly { readonly key: string; readonly openedAt: number }[]> {
      const names = namesOf(owner);
      const texts = await store.getMany(names);
      return texts
        .flatMap((found, index) => occupantOf(names[index], found))
        .filter(({ text }) => text !== undefined);
    },
    /**
     * @param key of the session that is about to be opened
     * @returns its slot, and the keys of the displaced sessions, which are those that were opened first
     * @throws {Problem} 429 if other sessions keep taking the slots first
     */
    async take(
      owner: Owner,
      key: string,
      ttlSeconds: number,
    ): Promise<{ readonly slot: Slot; readonly displaced: readonly string[] }> {
      const names = namesOf(owner);
      const text = JSON.stringify([clock().getTime(), key] satisfies z.output<typeof Occupant>);
      const displaced: string[] = [];
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const texts = await store.getMany(names);
        const slot = await takeFree(names, texts, text, ttlSeconds);
        if (slot) return { slot, displaced };
        const [oldest] = texts
          .flatMap((found, index) => occupantOf(names[index], found))
          .sort((one, other) => one.openedAt - other.openedAt);
        if (!oldest) continue;
        if (oldest.text === undefined) await store.delete(oldest.name);
        else if (await store.replace(oldest.name, oldest.text, undefined)) displaced.push(oldest.key);
      }
      throw problem('rate_limit_exceeded', {
        detail: 'Too many sessions of this user are being opened at the moment. Try again.',
        headers: { 'Retry-After': '1' },
        extensions: { retry_after: 1 },
      });
    },
    /** Releases the slot; does nothing if another session holds it now. */
    async free({ name, text }: Slot): Promise<void> {
      await store.replace(name, text, undefined);
    },
  };
}

/** An unreadable entry was encrypted with a missing key, as was its session. */
function occupantOf(
  name: string | undefined,
  text: string | undefined | UnreadableEntry,
): readonly { name: string; text: string | undefined; openedAt: number; key: string }[] {
  if (name === undefined || text === undefined) return [];
  if (text instanceof UnreadableEntry) return [{ name, text: undefined, openedAt: 0, key: '' }];
  const [openedAt, key] = Occupant.parse(JSON.parse(text));
  return [{ name, text, openedAt, key }];
}
