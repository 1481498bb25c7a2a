import type { OrganizationId, UserId } from '@legate/ids';
import type { Logger } from '@legate/service';
import { type Reach, reachName, toolSessionsName } from '../domain/reach.ts';
import type { Endings } from './endings.ts';
import type { createSessionNotes, EndReason } from './note-end.ts';
import { digestOf, type RefreshTokens } from './refresh-tokens.ts';
import type { SessionRecord, StoredSession } from './session-record.ts';
import type { SessionSlots } from './session-slots.ts';
import type { SessionStore } from './session-store.ts';

/**
 * Removes sessions, and announces their end.
 * @param deps.announce notifies the other replicas of an end; best effort
 */
export function createEndSession(deps: {
  store: SessionStore;
  slots: Pick<SessionSlots, 'free'>;
  /** Slots of each kind of session */
  allSlots: readonly Pick<SessionSlots, 'occupantsOf'>[];
  endings: Pick<Endings, 'end'>;
  announce: (name: string) => Promise<void>;
  refreshTokens: Pick<RefreshTokens, 'revoke'>;
  notes: Pick<ReturnType<typeof createSessionNotes>, 'noteEnd'>;
  log: Logger;
}) {
  const { store, slots, endings, announce, refreshTokens, notes, log } = deps;

  const announceEnd = (reach: Reach): Promise<void> => announceName(reachName(reach));

  async function announceName(name: string): Promise<void> {
    const announced = announce(name).catch((err: unknown) =>
      log.warn({ err }, 'sessions: an end was not announced to other replicas'),
    );
    await Promise.all([endings.end(name), announced]);
  }

  /** @returns the last state of the session, to only one of several concurrent callers */
  async function remove({ key, record }: StoredSession, reason: EndReason, why?: string) {
    const ended = await store.remove(key);
    if (ended) notes.noteEnd(ended, reason, why);
    const { slot } = ended ?? record;
    if (slot) await slots.free(slot).catch(() => undefined); // otherwise it expires with the session
    await announceEnd({ key });
    // Sessions at tool servers are shared by all sessions of a user. A failed renewal has already removed the session.
    if (await isLast(record)) await endToolSessions(record);
    return ended;
  }

  const endToolSessions = (user: { userId: UserId; organizationId?: OrganizationId }): Promise<void> =>
    announceName(toolSessionsName(user));

  /** False if the store cannot find out */
  async function isLast(user: Pick<SessionRecord, 'organizationId' | 'userId'>): Promise<boolean> {
    const occupants = await Promise.all(deps.allSlots.map((each) => each.occupantsOf(user))).catch(
      () => undefined,
    );
    return occupants?.every(({ length }) => length === 0) ?? false;
  }

  async function removeForGood(session: StoredSession, reason: EndReason): Promise<void> {
    const ended = await remove(session, reason);
    if (ended?.refreshToken === undefined) return;
    const { refreshToken, clientId, pendingSince } = ended;
    const digest = digestOf(refreshToken);
    // While the session was pending, others may have had its token: identity providers may return the same one at each
    // sign-in.
    if (pendingSince !== undefined && !(await store.holdRefreshToken(digest).catch(() => false))) return;
    await refreshTokens.revoke(refreshToken, clientId);
    // No session uses the token now. Without this, opening sessions with invalid tokens would fill the store for a
    // month.
    await store.releaseRefreshToken(digest).catch(() => undefined);
  }

  async function makeWay(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const found = await store.find(key);
      if (found.kind !== 'absent') await removeForGood(found.session, 'displaced');
    }
  }

  return { announceEnd, endToolSessions, remove, removeForGood, makeWay };
}
