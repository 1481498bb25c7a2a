import { epochSeconds } from '@legate/jwt';
import { refreshTokenInUse } from '../refusals/sign-in-problems.ts';
import { digestOf } from './refresh-tokens.ts';
import type { SessionRecord } from './session-record.ts';
import type { SessionSlots, Slot } from './session-slots.ts';
import type { SessionStore } from './session-store.ts';
import { rethrowOutage } from './store-outage.ts';

/** A session that counts among those of its user */
export interface Entered {
  readonly slot: Slot;
  /** Keys of the sessions that the user has too many by now */
  readonly displaced: readonly string[];
  /** Releases slot and refresh token of a session that is not opened after all. Never rejects. */
  leave(): Promise<void>;
}

/**
 * Gives a session one of its user's slots, and its refresh token to it alone.
 * @throws {Problem} 409 `refresh_token_in_use`, 429
 */
export type EnterSession = (key: string, record: SessionRecord) => Promise<Entered>;

export function createEnterSession(deps: {
  store: Pick<SessionStore, 'holdRefreshToken' | 'releaseRefreshToken'>;
  slots: SessionSlots;
  clock: () => Date;
}): EnterSession {
  const { store, slots, clock } = deps;
  return async (key, record) => {
    const held = record.refreshToken && digestOf(record.refreshToken);
    // Two sessions that renew by one token would look like its theft, and end both (RFC 9700 §4.14.2).
    if (held !== undefined && !(await store.holdRefreshToken(held))) throw refreshTokenInUse();
    /** A caller who retries comes with the same one. */
    const release = async (): Promise<void> => {
      if (held !== undefined) await store.releaseRefreshToken(held).catch(() => undefined);
    };
    const ttlSeconds = Math.max(1, record.endsAt - epochSeconds(clock()));
    const { slot, displaced } = await slots.take(record, key, ttlSeconds).catch(async (err: unknown) => {
      await release();
      return rethrowOutage(err);
    });
    return {
      slot,
      displaced,
      async leave() {
        // A slot left behind would count as a session for days: repeated attempts would push out the user's real sessions.
        await slots.free(slot).catch(() => undefined);
        await release();
      },
    };
  };
}
