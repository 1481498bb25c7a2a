import type { AgentId } from '@legate/ids';
import { epochSeconds } from '@legate/jwt';
import { type Problem, validationFailed } from '@legate/service';
import type { Belonging } from '../domain/reach.ts';
import { refreshTokenInUse, signedOut } from '../refusals/sign-in-problems.ts';
import type { createSessionNotes } from './note-end.ts';
import { digestOf } from './refresh-tokens.ts';
import { type ClientGrant, createHandle, type SessionRecord, sessionKey } from './session-record.ts';
import type { SessionSlots } from './session-slots.ts';
import type { SessionStore } from './session-store.ts';
import { isSignedOut, signOutReaches } from './sign-outs.ts';
import { rethrowOutage } from './store-outage.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

export interface OpenedSession {
  /** Storage key; not secret */
  readonly key: string;
  /** Known to the application alone from now on */
  readonly handle: string;
  /** Epoch seconds at which it ends in any case */
  readonly endsAt: number;
}

/** How a session is opened; all of it may be left out. */
export interface SessionOpening {
  /** With it the hub renews the ID token */
  readonly refreshToken?: string | undefined;
  /** Client to which the refresh token was issued; undefined: the ID token's */
  readonly clientId?: string | undefined;
  readonly grant?: ClientGrant | undefined;
  /** The agent that the session is bound to */
  readonly agentId?: AgentId | undefined;
}

/** Opens sessions. */
export function createOpenSession(deps: {
  store: SessionStore;
  slots: SessionSlots;
  verifyIdToken: VerifyIdToken;
  acceptedClients: readonly string[];
  lifetimeSeconds: number;
  /** Undefined: that of the store */
  idleSeconds?: number;
  clock: () => Date;
  notes: Pick<ReturnType<typeof createSessionNotes>, 'noteOpening'>;
}) {
  const { store, slots, verifyIdToken, acceptedClients, lifetimeSeconds, idleSeconds, notes } = deps;
  const now = (): number => epochSeconds(deps.clock());

  async function refuseSignedOut(
    belonging: Belonging,
    token: { id: string; issuedAt: number },
  ): Promise<void> {
    if (isSignedOut(token, await store.endsOf(signOutReaches(belonging)))) throw signedOut();
  }

  /**
   * @returns `displaced` too: the keys of the sessions that the user has too many by now
   * @throws {Problem} 400, 401 `signed_out`, 409 `refresh_token_in_use`
   */
  return async (idToken: string, { refreshToken, clientId, grant, agentId }: SessionOpening) => {
    const { caller, claims } = await verifyIdToken(idToken);
    const { userId, organizationId } = caller;
    const sid = typeof claims.sid === 'string' ? claims.sid : undefined;
    const aud = [claims.aud].flat();
    const client = clientId ?? claims.azp ?? (aud.length === 1 ? aud[0] : undefined);
    if (refreshToken !== undefined && (client === undefined || !acceptedClients.includes(client)))
      throw invalidClient();
    // First: whatever ends from now on ends this session too, also while it is being opened.
    const ends = [...(await store.endsBefore({ userId, organizationId, sid, agentId }))];
    const token = { id: caller.subjectTokenId, issuedAt: claims.iat };
    await refuseSignedOut({ userId, organizationId, sid }, token);
    // RFC 7519 §2: a NumericDate may have a fraction.
    const endsAt = refreshToken === undefined ? Math.floor(claims.exp) : now() + lifetimeSeconds;
    const held = refreshToken && digestOf(refreshToken);
    // Two sessions that renew by one token would look like its theft, and end both (RFC 9700 §4.14.2).
    if (held !== undefined && !(await store.holdRefreshToken(held))) throw refreshTokenInUse();
    /** A caller who retries comes with the same one. */
    const release = async (): Promise<void> => {
      if (held !== undefined) await store.releaseRefreshToken(held).catch(() => undefined);
    };
    const { nonce } = claims;
    const handle = createHandle();
    const key = sessionKey(handle);
    const ttlSeconds = Math.max(1, endsAt - now());
    const { slot, displaced } = await slots.take(caller, key, ttlSeconds).catch(async (err: unknown) => {
      await release();
      return rethrowOutage(err);
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
      idleSeconds,
      grant,
      agentId,
      slot,
      ends,
    };
    await store.open(key, record).catch(async (err: unknown) => {
      // A slot left behind would count as a session for days: repeated attempts would push out the user's real sessions.
      await slots.free(slot).catch(() => undefined);
      await release();
      throw err;
    });
    notes.noteOpening(record);
    return { key, handle, endsAt, displaced };
  };
}

const invalidClient = (): Problem =>
  validationFailed([
    { pointer: '/client_id', code: 'invalid_enum', detail: 'Sign-ins of this client are not taken here.' },
  ]);
