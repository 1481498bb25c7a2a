import { hash } from 'node:crypto';
import type { CallerSession } from '@legate/delegation';
import { epochSeconds } from '@legate/jwt';
import { type Logger, Problem, validationFailed } from '@legate/service';
import { type Belonging, type Reach, reachName } from '../domain/reach.ts';
import { problem } from '../refusals/problem-codes.ts';
import { sessionEnded, signedOut } from '../refusals/sign-in-problems.ts';
import type { Endings } from './endings.ts';
import type { createSessionNotes, EndReason } from './note-end.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { Renewal } from './renewal.ts';
import { createHandle, isHandle, sessionKey } from './session-handle.ts';
import type { SessionSlots } from './session-slots.ts';
import type { EndHow, SessionRecord, SessionStore, StoredSession } from './session-store.ts';
import { isSignedOut, signOutReaches } from './sign-outs.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

export interface OpenedSession {
  /** Known to the application alone from now on */
  readonly handle: string;
  /** Epoch seconds at which it ends in any case */
  readonly endsAt: number;
}

/**
 * Sessions of the hub: an opaque handle in the place of an ID token, which the hub renews where it was given a refresh
 * token. All methods throw a 503 `session_store_unavailable` when the store cannot be reached.
 */
export interface Sessions {
  isHandle(token: string): boolean;
  /** @throws {Problem} 400, 401 `signed_out`, 409 `refresh_token_in_use` */
  open(idToken: string, renewal: { refreshToken?: string; clientId?: string }): Promise<OpenedSession>;
  /** @throws {Problem} 401 `session_ended`, 503 `idp_unavailable` when its ID token has ended and cannot be renewed now */
  find(handle: string): Promise<{ idToken: string; session: CallerSession }>;
  /** Ends one, and revokes its refresh token at the identity provider, where that can be done. */
  end(session: CallerSession): Promise<void>;
  /** Ends it when the identity provider has refused the ID token that it still has. */
  endIfRefused(session: CallerSession, refusedIdToken: string): Promise<void>;
  endAll(reach: Exclude<Reach, { key: string }>, how?: EndHow): Promise<void>;
}

/** An ID token so close to its end may be refused for that alone. */
const EXPIRY_MARGIN_SECONDS = 60;

/**
 * @param deps.announce tells the other replicas what has ended; best effort
 * @param deps.slots bound how many sessions a user has
 */
export function createSessions(deps: {
  store: SessionStore;
  slots: SessionSlots;
  endings: Pick<Endings, 'end'>;
  announce: (name: string) => Promise<void>;
  refreshTokens: RefreshTokens;
  renew: (session: StoredSession) => Promise<Renewal>;
  verifyIdToken: VerifyIdToken;
  /** Clients whose refresh tokens are taken */
  acceptedClients: readonly string[];
  lifetimeSeconds: number;
  clock: () => Date;
  log: Logger;
  notes: ReturnType<typeof createSessionNotes>;
}): Sessions {
  const { endings, refreshTokens, verifyIdToken, log } = deps;
  const store = sayingWhenAway(deps.store);
  const now = (): number => epochSeconds(deps.clock());

  async function tell(reach: Reach): Promise<void> {
    const name = reachName(reach);
    const announced = deps
      .announce(name)
      .catch((err: unknown) => log.warn({ err }, 'sessions: an end was not announced'));
    await Promise.all([endings.end(name), announced]);
  }

  /** @returns true for one of those who end it at the same time */
  async function remove({ key, record }: StoredSession, reason: EndReason, why?: string): Promise<boolean> {
    const isFirst = await store.remove(key);
    if (isFirst) deps.notes.noteEnd(record, reason, why);
    if (record.slot) await deps.slots.free(record.slot).catch(() => undefined); // else it runs out with the session
    await tell({ key });
    return isFirst;
  }

  async function removeForGood(session: StoredSession, reason: EndReason): Promise<void> {
    const isFirst = await remove(session, reason);
    const { refreshToken, clientId } = session.record;
    if (!isFirst || refreshToken === undefined) return;
    await refreshTokens.revoke(refreshToken, clientId);
    // No session has it now. Without this, whoever opens sessions with made-up tokens would fill the store for a month.
    await store.releaseRefreshToken(digestOf(refreshToken)).catch(() => undefined);
  }

  async function makeWay(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const found = await store.find(key);
      if (found.kind !== 'absent') await removeForGood(found.session, 'displaced');
    }
  }

  async function refuseSignedOut(
    belonging: Belonging,
    token: { id: string; issuedAt: number },
  ): Promise<void> {
    if (isSignedOut(token, await store.endsOf(signOutReaches(belonging)))) throw signedOut();
  }

  return {
    isHandle,
    async open(idToken, { refreshToken, clientId }) {
      const { caller, claims } = await verifyIdToken(idToken);
      const { userId, organizationId } = caller;
      const sid = typeof claims.sid === 'string' ? claims.sid : undefined;
      const aud = [claims.aud].flat();
      const client = clientId ?? claims.azp ?? (aud.length === 1 ? aud[0] : undefined);
      if (refreshToken !== undefined && (client === undefined || !deps.acceptedClients.includes(client)))
        throw invalidClient();
      // First: whatever ends from now on ends this session too, also while it is being opened.
      const ends = [...(await store.endsBefore({ userId, organizationId, sid }))];
      const token = { id: caller.subjectTokenId, issuedAt: claims.iat };
      await refuseSignedOut({ userId, organizationId, sid }, token);
      // RFC 7519 §2: a NumericDate may have a fraction.
      const endsAt = refreshToken === undefined ? Math.floor(claims.exp) : now() + deps.lifetimeSeconds;
      const held = refreshToken && digestOf(refreshToken);
      // Two sessions that renew by one token would look like its theft, and end both (RFC 9700 §4.14.2).
      if (held !== undefined && !(await store.holdRefreshToken(held))) throw refreshTokenInUse();
      /** Whoever is told to try again comes with the same one. */
      const release = async (): Promise<void> => {
        if (held !== undefined) await store.releaseRefreshToken(held).catch(() => undefined);
      };
      const { nonce } = claims;
      const handle = createHandle();
      const ttlSeconds = Math.max(1, endsAt - now());
      const { slot, displaced } = await deps.slots
        .take(caller, sessionKey(handle), ttlSeconds)
        .catch(async (err: unknown) => {
          await release();
          return rethrowAway(err);
        });
      const record: SessionRecord = {
        userId,
        organizationId,
        clientId: client ?? '',
        sid,
        idToken,
        idTokenIssuedAt: claims.iat,
        idTokenExpiresAt: claims.exp,
        original: {
          iss: claims.iss,
          aud,
          azp: claims.azp,
          nonce: typeof nonce === 'string' ? nonce : undefined,
          authTime: claims.auth_time,
        },
        refreshToken,
        endsAt,
        slot,
        ends,
      };
      await store.open(sessionKey(handle), record).catch(async (err: unknown) => {
        // A slot left behind would count as a session for days: repeated attempts would push out the user's real sessions.
        await deps.slots.free(slot).catch(() => undefined);
        await release();
        throw err;
      });
      deps.notes.noteOpening(record);
      await makeWay(displaced);
      return { handle, endsAt };
    },
    async find(handle) {
      const found = await store.find(sessionKey(handle));
      if (found.kind === 'absent') throw sessionEnded();
      if (found.kind === 'ended') {
        await removeForGood(found.session, found.reason);
        throw sessionEnded();
      }
      const renewal = await deps.renew(found.session).catch(rethrowAway);
      switch (renewal.kind) {
        case 'usable': {
          const { key, record } = renewal.session;
          return { idToken: record.idToken, session: { key, sid: record.sid } };
        }
        case 'ended': {
          // Its refresh token is of no use to anybody any more, or was revoked on the way.
          await remove(found.session, 'not_renewed', renewal.reason);
          throw sessionEnded();
        }
        case 'unavailable':
          throw idpUnavailable();
      }
    },
    async end({ key }) {
      const found = await store.find(key);
      if (found.kind !== 'absent') await removeForGood(found.session, 'signed_out');
    },
    async endIfRefused({ key }, refusedIdToken) {
      const found = await store.find(key);
      if (found.kind !== 'found') return;
      const { idToken, idTokenExpiresAt } = found.session.record;
      // An older token says nothing about the sign-in, nor does one that was refused because it is over.
      if (idToken !== refusedIdToken || idTokenExpiresAt - now() < EXPIRY_MARGIN_SECONDS) return;
      await removeForGood(found.session, 'refused_by_idp');
    },
    async endAll(reach, how) {
      await store.end(reach, how);
      await tell(reach);
    },
  };
}

const digestOf = (refreshToken: string): string => hash('sha256', refreshToken, 'base64url');

const invalidClient = (): Problem =>
  validationFailed([
    { pointer: '/client_id', code: 'invalid_enum', detail: 'Sign-ins of this client are not taken here.' },
  ]);

const refreshTokenInUse = (): Problem =>
  problem('refresh_token_in_use', {
    detail: 'Another session has this refresh token, or had it. Sign in again for one of its own.',
  });

const idpUnavailable = (): Problem =>
  problem('idp_unavailable', {
    detail: "The session's ID token has expired and cannot be renewed at the moment. Try again.",
    headers: { 'Retry-After': '5' },
  });

function rethrowAway(cause: unknown): never {
  if (cause instanceof Problem) throw cause;
  throw problem('session_store_unavailable', {
    detail: 'Sessions cannot be looked up at the moment. Try again.',
    headers: { 'Retry-After': '5' },
    cause,
  });
}

/** The same store, whose failures are an outage and not an error of ours. */
function sayingWhenAway(store: SessionStore): SessionStore {
  return {
    endsBefore: (...args) => store.endsBefore(...args).catch(rethrowAway),
    open: (...args) => store.open(...args).catch(rethrowAway),
    find: (...args) => store.find(...args).catch(rethrowAway),
    replace: (...args) => store.replace(...args).catch(rethrowAway),
    remove: (...args) => store.remove(...args).catch(rethrowAway),
    end: (...args) => store.end(...args).catch(rethrowAway),
    readMarks: (...args) => store.readMarks(...args).catch(rethrowAway),
    endsOf: (...args) => store.endsOf(...args).catch(rethrowAway),
    holdRefreshToken: (...args) => store.holdRefreshToken(...args).catch(rethrowAway),
    releaseRefreshToken: (...args) => store.releaseRefreshToken(...args).catch(rethrowAway),
  };
}
