import { hash } from 'node:crypto';
import { epochSeconds } from '@legate/jwt';
import { type Logger, Problem } from '@legate/service';
import type { CallerSession } from '../caller/caller.ts';
import { unauthorized } from '../caller/problems.ts';
import type { VerifyIdToken } from '../caller/verify-id-token.ts';
import type { Endings } from './endings.ts';
import { createHandle, isHandle, sessionKey } from './handle.ts';
import { type Reach, type reachesOf, reachName } from './reach.ts';
import type { RefreshTokens } from './refresh.ts';
import type { Renewal } from './renewal.ts';
import type { End, SessionRecord, SessionStore, StoredSession } from './store.ts';

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
  /** @throws {Problem} 400, 401 `session_ended`, 409 `refresh_token_in_use` */
  open(idToken: string, renewal: { refreshToken?: string; clientId?: string }): Promise<OpenedSession>;
  /** @throws {Problem} 401 `session_ended`, 503 `idp_unavailable` when its ID token has ended and cannot be renewed now */
  find(handle: string): Promise<{ idToken: string; session: CallerSession }>;
  /** Ends one, and revokes its refresh token at the identity provider, where that can be done. */
  end(session: CallerSession): Promise<void>;
  /** Ends it when the identity provider has refused the ID token that it still has. */
  endIfRefused(session: CallerSession, refusedIdToken: string): Promise<void>;
  /** @param signedOutAt as the identity provider says, in epoch seconds */
  endAll(reach: Exclude<Reach, { key: string }>, signedOutAt?: number): Promise<void>;
}

/** An ID token so close to its end may be refused for that alone. */
const EXPIRY_MARGIN_SECONDS = 60;

/** @param deps.announce tells the other replicas what has ended; best effort */
export function createSessions(deps: {
  store: SessionStore;
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
}): Sessions {
  const { endings, refreshTokens, verifyIdToken, log } = deps;
  const store = sayingWhenAway(deps.store);
  const now = (): number => epochSeconds(deps.clock());

  async function tell(reach: Reach): Promise<void> {
    const name = reachName(reach);
    endings.end(name);
    await deps
      .announce(name)
      .catch((err: unknown) => log.warn({ err }, 'sessions: an end was not announced'));
  }

  async function remove(session: StoredSession, reason: string): Promise<void> {
    const { key, record } = session;
    await store.remove(key);
    log.info({ user_id: record.userId, organization_id: record.organizationId, reason }, 'session ended');
    await tell({ key });
    const { refreshToken, clientId } = record;
    if (refreshToken !== undefined) await refreshTokens.revoke(refreshToken, clientId);
  }

  async function refuseSignedOut(
    belonging: Parameters<typeof reachesOf>[0],
    issuedAt: number,
  ): Promise<void> {
    const isOlder = (end: End | undefined) => end?.signedOutAt !== undefined && issuedAt < end.signedOutAt;
    const { userId, sid } = belonging;
    const [ofUser, ofSignIn] = await store.endsOf([{ userId }, ...(sid === undefined ? [] : [{ sid }])]);
    // A sign-in that has ended never comes back, whenever its ID token was issued.
    if (isOlder(ofUser) || ofSignIn !== undefined) throw sessionEnded();
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
      await refuseSignedOut({ userId, organizationId, sid }, claims.iat);
      const endsAt = refreshToken === undefined ? claims.exp : now() + deps.lifetimeSeconds;
      if (refreshToken !== undefined) {
        // Two sessions that renew by one token would look like its theft, and end both (RFC 9700 §4.14.2).
        const isFree = await store.holdRefreshToken(hash('sha256', refreshToken, 'base64url'));
        if (!isFree) throw refreshTokenInUse();
      }
      const { nonce } = claims;
      const handle = createHandle();
      const record: Omit<SessionRecord, 'ends'> = {
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
      };
      await store.open(sessionKey(handle), record);
      const renewable = refreshToken !== undefined;
      log.info({ user_id: userId, organization_id: organizationId, renewable }, 'session opened');
      return { handle, endsAt };
    },
    async find(handle) {
      const found = await store.find(sessionKey(handle));
      if (found.kind === 'absent') throw sessionEnded();
      if (found.kind === 'ended') {
        await remove(found.session, 'revoked, signed out, or not used for too long');
        throw sessionEnded();
      }
      const renewal = await deps.renew(found.session).catch(rethrowAway);
      switch (renewal.kind) {
        case 'usable': {
          const { key, record } = renewal.session;
          return { idToken: record.idToken, session: { key, sid: record.sid } };
        }
        case 'ended': {
          const { key, record } = found.session;
          const { userId: user_id, organizationId: organization_id } = record;
          await store.remove(key);
          log.info({ user_id, organization_id, reason: renewal.reason }, 'session ended');
          await tell({ key });
          throw sessionEnded();
        }
        case 'unavailable':
          throw idpUnavailable();
      }
    },
    async end({ key }) {
      const found = await store.find(key);
      if (found.kind !== 'absent') await remove(found.session, 'signed out');
    },
    async endIfRefused({ key }, refusedIdToken) {
      const found = await store.find(key);
      if (found.kind !== 'found') return;
      const { idToken, idTokenExpiresAt } = found.session.record;
      // An older token says nothing about the sign-in, nor does one that was refused because it is over.
      if (idToken !== refusedIdToken || idTokenExpiresAt - now() < EXPIRY_MARGIN_SECONDS) return;
      await remove(found.session, 'refused by the identity provider');
    },
    async endAll(reach, signedOutAt) {
      await store.end(reach, signedOutAt);
      await tell(reach);
    },
  };
}

/** A caller with `session_ended` needs a new ID token; why it ended is in the log. */
const sessionEnded = (): Problem =>
  unauthorized('session_ended', 'The session has ended, or there never was one. Sign in again.');

const invalidClient = (): Problem =>
  new Problem(400, 'validation_failed', 'Validation failed', {
    errors: [
      { pointer: '/client_id', code: 'invalid', detail: 'is not a client whose sign-ins are taken here' },
    ],
  });

const refreshTokenInUse = (): Problem =>
  new Problem(409, 'refresh_token_in_use', 'Refresh token in use', {
    detail: 'Another session has this refresh token, or had it. Sign in again for one of its own.',
  });

const idpUnavailable = (): Problem =>
  new Problem(503, 'idp_unavailable', 'Identity provider unavailable', {
    detail: "The session's ID token has expired and cannot be renewed at the moment. Try again.",
    headers: { 'Retry-After': '5' },
  });

function rethrowAway(cause: unknown): never {
  if (cause instanceof Problem) throw cause;
  throw new Problem(503, 'session_store_unavailable', 'Session store unavailable', {
    detail: 'Sessions cannot be looked up at the moment. Try again.',
    headers: { 'Retry-After': '5' },
    cause,
  });
}

/** The same store, whose failures are an outage and not an error of ours. */
function sayingWhenAway(store: SessionStore): SessionStore {
  return {
    open: (...args) => store.open(...args).catch(rethrowAway),
    find: (...args) => store.find(...args).catch(rethrowAway),
    replace: (...args) => store.replace(...args).catch(rethrowAway),
    remove: (...args) => store.remove(...args).catch(rethrowAway),
    end: (...args) => store.end(...args).catch(rethrowAway),
    endsOf: (...args) => store.endsOf(...args).catch(rethrowAway),
    holdRefreshToken: (...args) => store.holdRefreshToken(...args).catch(rethrowAway),
  };
}
