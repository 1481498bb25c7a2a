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
  /** Keys of the sessions that exceed the user's limit now */
  readonly displaced: readonly string[];
  /** Releases slot and refresh token of a session that is not opened after all. Never rejects. */
  leave(): Promise<void>;
}

/**
 * Reserves one of its user's slots for a session, and its refresh token for this session alone.
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
    // If two sessions renewed with one token, it would look stolen, and both would end (RFC 9700 §4.14.2).
    if (held !== undefined && !(await store.holdRefreshToken(held))) throw refreshTokenInUse();
    /** Releases the refresh token, because a caller who retries presents the same one. */
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
        // A slot that is not released would count as a session for days, and repeated attempts would displace real
        // sessions.
        await slots.free(slot).catch(() => undefined);
        await release();
      },
    };
  };
}
