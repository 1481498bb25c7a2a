import { type Rotation, refreshOnce } from '@legate/delegation';
import { epochSeconds } from '@legate/jwt';
import type { Logger } from '@legate/service';
import { createSingleFlight } from '@legate/single-flight';
import { createLatest } from '../domain/latest.ts';
import type { ExchangeTokens } from './exchange-token.ts';
import type { NoteEnd } from './note-end.ts';
import { ANSWER_SECONDS, isAbandoned, LOST, WAIT_MS } from './refresh-mark.ts';
import type { RefreshTokens, RenewedTokens } from './refresh-tokens.ts';
import { takeTokens } from './renewed-session.ts';
import { replaceBy } from './replace-session.ts';
import type { StoredSession } from './session-record.ts';
import type { SessionStore } from './session-store.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

export type Renewal =
  /** The session has a valid ID token, renewed or not. */
  | { readonly kind: 'usable'; readonly session: StoredSession }
  | { readonly kind: 'ended'; readonly reason: string }
  /** The ID token has expired, and a new one is currently unavailable. */
  | { readonly kind: 'unavailable' };

/** Seconds before its end at which an ID token is renewed; one that lives for less than 25 minutes: its last fifth. */
const LEAD_SECONDS = 300;
/** Pause after an attempt without a result */
const RETRY_SECONDS = 5;

/** Returns a session with a valid ID token; without a promise if nothing has to be done, as in nearly all requests. */
export type RenewSession = (session: StoredSession) => Renewal | Promise<Renewal>;

interface RenewalDependencies {
  readonly store: SessionStore;
  readonly refreshTokens: RefreshTokens;
  readonly verifyIdToken: VerifyIdToken;
  readonly exchangeTokens: Pick<
    ExchangeTokens,
    'isWanted' | 'isMissing' | 'isUnproven' | 'kept' | 'useRefreshTokens'
  >;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly noteEnd: NoteEnd;
  /** Waits this many milliseconds for another process. */
  readonly pause: (ms: number) => Promise<void>;
}

/** The data of a process that may send the token because it has set the mark */
interface Claimed {
  readonly marked: StoredSession;
  /** The session as it was before it was marked */
  readonly session: StoredSession;
  readonly refreshToken: string;
}

const RESPONSE_LOST = 'the response to its renewal was lost';
const ENDED: Renewal = { kind: 'ended', reason: 'it ended while it was being renewed' };
const UNAVAILABLE = { kind: 'unavailable' } as const;

/**
 * Renews a session's ID token, by the rule for refresh tokens (`refreshOnce`). Replicas share only the store, so a
 * process gets the right to send there: in one atomic step it replaces the session by the same session with the mark
 * `sentAt`. If it never replaces that by the response, the refresh token counts as used, and the session ends with its
 * ID token.
 * @see docs/adr/0059-one-rule-for-refresh-tokens.md for what happens if a process ends between any two of these steps
 */
export function createRenewals({
  store,
  refreshTokens,
  verifyIdToken,
  exchangeTokens,
  clock,
  log,
  noteEnd,
  pause,
}: RenewalDependencies): RenewSession {
  const now = (): number => epochSeconds(clock());
  const taking = { verifyIdToken, exchangeTokens, refreshTokens, log };
  const flights = createSingleFlight<Renewal>();
  const notBefore = createLatest<number>(10_000);

  const isGood = ({ record }: StoredSession): boolean => record.idTokenExpiresAt > now();
  /** The result without a renewal. */
  const fallBack = (session: StoredSession, otherwise: Exclude<Renewal, { kind: 'usable' }>): Renewal =>
    isGood(session) ? { kind: 'usable', session } : otherwise;

  async function end(session: StoredSession, reason: string): Promise<Renewal> {
    if (await store.remove(session.key)) noteEnd(session.record, 'not_renewed', reason);
    return { kind: 'ended', reason };
  }

  const rotation: Rotation<StoredSession, Claimed, RenewedTokens, string, Renewal> = {
    settled(session, waits) {
      const { key, record } = session;
      const isInTime = waits > 0 && isGood(session) && !exchangeTokens.isMissing(record);
      // Another process may have sent the token for an exchange, which renews nothing.
      const isSettled =
        record.sentAt === undefined
          ? now() < (notBefore.get(key) ?? 0)
          : (waits - 1) * WAIT_MS >= ANSWER_SECONDS * 1000;
      return isInTime || isSettled ? fallBack(session, UNAVAILABLE) : undefined;
    },
    async claim(session) {
      const { key, record } = session;
      if (record.sentAt !== undefined || record.refreshToken === undefined) return undefined;
      const marked = await store.replace(session, { ...record, sentAt: now() });
      if (!marked) return undefined;
      notBefore.set(key, now() + RETRY_SECONDS);
      return { marked, session, refreshToken: record.refreshToken };
    },
    send: ({ session, refreshToken }) => refreshTokens.refresh(refreshToken, session.record),
    async keep({ marked, session, refreshToken }, tokens) {
      const next = tokens.refreshToken ?? refreshToken;
      const access = exchangeTokens.kept(tokens.access);
      const renewed = await takeTokens(taking, session.record, {
        idToken: tokens.idToken,
        refreshToken: next,
        others: access ? { access } : {},
      });
      const kept = typeof renewed === 'string' ? undefined : await replaceBy(store, marked, renewed);
      if (kept) return fallBack(kept, UNAVAILABLE);
      await refreshTokens.revoke(next, session.record.clientId);
      return typeof renewed === 'string' ? end(marked, renewed) : ENDED;
    },
    end: ({ marked }) => end(marked, 'invalid_grant'),
    async refuse({ marked, session }, error) {
      // The client must not refresh, so another attempt would fail too.
      log.error({ client_id: session.record.clientId, error }, 'sessions: a refresh token was refused');
      const kept = await store.replace(marked, { ...session.record, refreshToken: undefined });
      return fallBack(kept ?? session, { kind: 'ended', reason: error });
    },
    async release({ marked, session }, reason) {
      log.warn(
        { client_id: session.record.clientId, reason },
        'sessions: not renewed, will be tried again later',
      );
      return fallBack((await store.replace(marked, session.record)) ?? session, UNAVAILABLE);
    },
    async lose({ marked, session }, reason) {
      log.warn({ client_id: session.record.clientId, reason }, 'sessions: a refresh token is lost');
      const lost = { ...marked.record, sentAt: LOST };
      const kept = await store.replace(marked, lost).catch(() => undefined); // the mark stays in any case
      return fallBack(kept ?? marked, { kind: 'ended', reason: RESPONSE_LOST });
    },
    async spoil({ marked, session }, reason) {
      log.error(
        { client_id: session.record.clientId, reason },
        'sessions: a renewed ID token cannot be used',
      );
      return end(marked, reason);
    },
    pause: async (waits) => void (waits > 0 && (await pause(WAIT_MS))),
    findAgain: ({ key }) => findSession(store, key),
    gone: () => ENDED,
    isAbandoned: ({ record }, waits) => waits > 0 && isAbandoned(record, now()),
    giveUp: (session) => end(session, RESPONSE_LOST),
  };

  return (session) => {
    const { record } = session;
    const isFresh = record.idTokenExpiresAt - now() > (record.hasLastIdToken ? 0 : leadOf(record));
    if (isFresh && !exchangeTokens.isWanted(record)) return { kind: 'usable', session };
    if (record.refreshToken === undefined || (record.hasLastIdToken && !isGood(session)))
      return fallBack(session, { kind: 'ended', reason: 'its ID token has expired' });
    // Its refresh token is lost, and not needed yet.
    if (isAbandoned(record, now()) && isGood(session) && !exchangeTokens.isMissing(record))
      return { kind: 'usable', session };
    return flights.run(session.key, session.key, () => refreshOnce(session, rotation));
  };
}

const leadOf = ({ idTokenIssuedAt, idTokenExpiresAt }: StoredSession['record']): number =>
  Math.min(LEAD_SECONDS, (idTokenExpiresAt - idTokenIssuedAt) / 5);

async function findSession(store: SessionStore, key: string): Promise<StoredSession | undefined> {
  const found = await store.find(key);
  return found.kind === 'found' ? found.session : undefined;
}
