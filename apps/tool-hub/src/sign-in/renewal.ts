import { setTimeout as delay } from 'node:timers/promises';
import { epochSeconds } from '@legate/jwt';
import { type Logger, Problem } from '@legate/service';
import { createSingleFlight } from '@legate/single-flight';
import { createLatest } from '../domain/latest.ts';
import type { NoteEnd } from './note-end.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import { findChangedClaim } from './renewed-id-token.ts';
import type { SessionRecord, StoredSession } from './session-record.ts';
import type { SessionStore } from './session-store.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

export type Renewal =
  /** With an ID token that is good, renewed or not */
  | { readonly kind: 'usable'; readonly session: StoredSession }
  | { readonly kind: 'ended'; readonly reason: string }
  /** The ID token has ended, and another one cannot be had at the moment. */
  | { readonly kind: 'unavailable' };

/** Seconds before its end at which an ID token is renewed; one that lives for less than 25 minutes: its last fifth. */
const LEAD_SECONDS = 300;
/** A refresh token that was sent so long ago has no answer any more: the request may take 10 seconds. */
const ANSWER_SECONDS = 15;
/** After a try that led to nothing */
const RETRY_SECONDS = 5;
const WAIT_MS = 100;

/**
 * Renews a session's ID token. Replicas share nothing but the store, so the right to send a refresh token is taken there:
 * the session is replaced, in one atomic step, by itself with the mark `sentAt`. There is no lock that could run out under
 * its holder. The process that took the mark sends the token, once, and replaces the session by what came back; if it never
 * does, the token counts as used, and the session ends with its ID token.
 * @see docs/adr/0027-sessions.md for what happens when a process ends between any two of these steps
 */
export function createRenewals(deps: {
  store: SessionStore;
  refreshTokens: RefreshTokens;
  verifyIdToken: VerifyIdToken;
  clock: () => Date;
  log: Logger;
  noteEnd: NoteEnd;
}): (session: StoredSession) => Promise<Renewal> {
  const { store, refreshTokens, verifyIdToken, clock, log } = deps;
  const now = (): number => epochSeconds(clock());
  const flights = createSingleFlight<Renewal>();
  const notBefore = createLatest<number>(10_000);

  /** What is left without a renewal. */
  const fallBack = (session: StoredSession, otherwise: Exclude<Renewal, { kind: 'usable' }>): Renewal =>
    session.record.idTokenExpiresAt > now() ? { kind: 'usable', session } : otherwise;

  async function end(session: StoredSession, reason: string): Promise<Renewal> {
    if (await store.remove(session.key)) deps.noteEnd(session.record, 'not_renewed', reason);
    return { kind: 'ended', reason };
  }

  async function renew(session: StoredSession, refreshToken: string): Promise<Renewal> {
    if (session.record.sentAt !== undefined) return awaitOther(session);
    if (now() < (notBefore.get(session.key) ?? 0)) return fallBack(session, { kind: 'unavailable' });
    const marked = await store.replace(session, { ...session.record, sentAt: now() });
    if (!marked) return awaitOther(session);
    notBefore.set(session.key, now() + RETRY_SECONDS);
    return settle(session, marked, refreshToken);
  }

  /** @param session as it was before it was marked */
  async function settle(
    session: StoredSession,
    marked: StoredSession,
    refreshToken: string,
  ): Promise<Renewal> {
    const { clientId } = session.record;
    const answer = await refreshTokens.refresh(refreshToken, clientId);
    switch (answer.kind) {
      case 'refreshed': {
        const next = answer.refreshToken ?? refreshToken;
        const renewed = await take(session.record, answer.idToken, next);
        if (typeof renewed === 'string') {
          await refreshTokens.revoke(next, clientId);
          return end(marked, renewed);
        }
        const kept = await keep(marked, renewed);
        if (kept) return fallBack(kept, { kind: 'unavailable' });
        await refreshTokens.revoke(next, clientId);
        return { kind: 'ended', reason: 'it ended while it was being renewed' };
      }
      case 'refused': {
        if (answer.error === 'invalid_grant') return end(marked, 'invalid_grant');
        // The client may not do this: no other try will go better.
        log.error({ client_id: clientId, error: answer.error }, 'sessions: a refresh token cannot be used');
        const kept = await store.replace(marked, { ...session.record, refreshToken: undefined });
        return fallBack(kept ?? session, { kind: 'ended', reason: answer.error });
      }
      case 'untouched': {
        log.warn({ client_id: clientId, reason: answer.reason }, 'sessions: not renewed, tried again later');
        const unmarked = await store.replace(marked, session.record);
        return fallBack(unmarked ?? session, { kind: 'unavailable' });
      }
      case 'in_doubt':
        log.warn({ client_id: clientId, reason: answer.reason }, 'sessions: a refresh token is lost');
        return fallBack(marked, { kind: 'ended', reason: 'the answer to its renewal was lost' });
      case 'unusable':
        log.error({ client_id: clientId, reason: answer.reason }, 'sessions: a renewed token cannot be used');
        return end(marked, answer.reason);
    }
  }

  /** @returns the session with the new tokens, or what is wrong with them */
  async function take(
    record: SessionRecord,
    idToken: string | undefined,
    refreshToken: string,
  ): Promise<SessionRecord | string> {
    // Not every provider gives an ID token here: then the session ends with the one that it has.
    if (idToken === undefined) return { ...record, refreshToken: undefined };
    const verified = await verifyIdToken(idToken).catch((err: unknown) => {
      if (err instanceof Problem) return err;
      throw err;
    });
    if (verified instanceof Problem) {
      // Without the provider's keys nothing is known of the ID token; the refresh token is good for another one.
      return verified.status === 503 ? { ...record, refreshToken } : `renewed ID token: ${verified.code}`;
    }
    const changed = findChangedClaim(record, verified.claims);
    if (changed !== undefined) return `renewed ID token: ${changed}`;
    const { iat, exp } = verified.claims;
    return { ...record, idToken, idTokenIssuedAt: iat, idTokenExpiresAt: exp, refreshToken };
  }

  /** The new refresh token is in this process alone: a store that fails for a moment must not lose it. */
  async function keep(marked: StoredSession, renewed: SessionRecord): Promise<StoredSession | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const kept = await store.replace(marked, renewed);
        if (kept || attempt === 1) return kept;
        // The answer to an earlier attempt was lost: perhaps it was carried out.
        const found = await store.find(marked.key);
        return found.kind === 'found' && found.session.record.idToken === renewed.idToken
          ? found.session
          : undefined;
      } catch (err) {
        if (attempt === 5) throw err;
        await delay(WAIT_MS * 2 ** attempt);
      }
    }
  }

  /** Another replica has sent the refresh token. */
  async function awaitOther(session: StoredSession): Promise<Renewal> {
    for (let waitedMs = 0; ; waitedMs += WAIT_MS) {
      const found = await store.find(session.key);
      if (found.kind !== 'found') return { kind: 'ended', reason: 'it ended while it was being renewed' };
      const { record } = found.session;
      if (record.idTokenExpiresAt > now()) return { kind: 'usable', session: found.session };
      if (record.sentAt === undefined || waitedMs >= ANSWER_SECONDS * 1000) return { kind: 'unavailable' };
      if (now() - record.sentAt >= ANSWER_SECONDS)
        return end(found.session, 'the answer to its renewal was lost');
      await delay(WAIT_MS);
    }
  }

  return async (session) => {
    const { key, record } = session;
    const { idTokenIssuedAt, idTokenExpiresAt, refreshToken } = record;
    const lead = Math.min(LEAD_SECONDS, (idTokenExpiresAt - idTokenIssuedAt) / 5);
    if (idTokenExpiresAt - now() > lead) return { kind: 'usable', session };
    if (refreshToken === undefined)
      return fallBack(session, { kind: 'ended', reason: 'its ID token has expired' });
    return flights.run(key, key, () => renew(session, refreshToken));
  };
}
