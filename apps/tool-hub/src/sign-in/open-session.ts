import type { AgentId } from '@legate/ids';
import { epochSeconds } from '@legate/jwt';
import { type Problem, validationFailed } from '@legate/service';
import type { Belonging } from '../domain/reach.ts';
import { signedOut } from '../refusals/sign-in-problems.ts';
import type { EnterSession } from './enter-session.ts';
import type { ExchangeTokens } from './exchange-token.ts';
import type { createSessionNotes } from './note-end.ts';
import {
  type ClientGrant,
  createHandle,
  type SealedAccess,
  type SessionRecord,
  sessionKey,
} from './session-record.ts';
import type { SessionStore } from './session-store.ts';
import { isSignedOut, signOutReaches } from './sign-outs.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

export interface OpenedSession {
  /** Storage key; not secret */
  readonly key: string;
  /** Handle of the session; from now on only the application has it */
  readonly handle: string;
  /** Epoch seconds at which the session ends in any case */
  readonly endsAt: number;
}

/** Options of a new session */
export interface SessionOpening {
  /** The refresh token with which the hub renews the ID token */
  readonly refreshToken?: string | undefined;
  /** Client to which the refresh token was issued; undefined: the ID token's client */
  readonly clientId?: string | undefined;
  /** An access token of the sign-in at the hub */
  readonly access?: SealedAccess | undefined;
  /** An access token that the application presents */
  readonly accessToken?: string | undefined;
  /** The `claims` that the sign-in was made for */
  readonly claimsMet?: SessionRecord['claimsMet'];
  readonly grant?: ClientGrant | undefined;
  /** The agent that the session is bound to */
  readonly agentId?: AgentId | undefined;
}

interface Preparation {
  store: SessionStore;
  verifyIdToken: VerifyIdToken;
  exchangeTokens: Pick<ExchangeTokens, 'presented'>;
  acceptedClients: readonly string[];
  lifetimeSeconds: number;
  /** Undefined: the idle time of the store */
  idleSeconds?: number;
  clock: () => Date;
}

/** Returns a function that checks a sign-in, and creates the record of its session, which is not stored yet. */
export function createPrepareSession(deps: Preparation) {
  const { store, verifyIdToken, acceptedClients, lifetimeSeconds, idleSeconds } = deps;
  const now = (): number => epochSeconds(deps.clock());

  async function refuseSignedOut(
    belonging: Belonging,
    token: { id: string; issuedAt: number },
  ): Promise<void> {
    if (isSignedOut(token, belonging, await store.endsOf(signOutReaches(belonging)))) throw signedOut();
  }

  /** @throws {Problem} 400, 401 `signed_out` */
  return async (
    idToken: string,
    { refreshToken, clientId, grant, agentId, ...opening }: SessionOpening,
  ): Promise<OpenedSession & { readonly record: SessionRecord }> => {
    const { caller, claims } = await verifyIdToken(idToken);
    const { userId, organizationId, subject } = caller;
    const sid = typeof claims.sid === 'string' ? claims.sid : undefined;
    const aud = [claims.aud].flat();
    const client = clientId ?? claims.azp ?? (aud.length === 1 ? aud[0] : undefined);
    if (refreshToken !== undefined && (client === undefined || !acceptedClients.includes(client)))
      throw invalidClient();
    const { accessToken } = opening;
    const access =
      accessToken === undefined
        ? opening.access
        : deps.exchangeTokens.presented(accessToken, { userId, idToken });
    // First, so that anything that ends from now on also ends this session, even while it is being opened.
    const ends = [...(await store.endsBefore({ userId, organizationId, subject, sid, agentId }))];
    const token = { id: caller.subjectTokenId, issuedAt: claims.iat };
    await refuseSignedOut({ userId, organizationId, subject, sid }, token);
    // RFC 7519 §2: a NumericDate may have a fraction.
    const endsAt = refreshToken === undefined ? Math.floor(claims.exp) : now() + lifetimeSeconds;
    const { nonce } = claims;
    const handle = createHandle();
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
        sub: subject,
        aud,
        azp: claims.azp,
        nonce: typeof nonce === 'string' ? nonce : undefined,
        authTime: claims.auth_time,
      },
      refreshToken,
      access,
      claimsMet: opening.claimsMet,
      endsAt,
      idleSeconds,
      grant,
      agentId,
      ends,
    };
    return { key: sessionKey(handle), handle, endsAt, record };
  };
}

/** Opens sessions of applications. */
export function createOpenSession(
  deps: Preparation & {
    enter: EnterSession;
    notes: Pick<ReturnType<typeof createSessionNotes>, 'noteOpening'>;
  },
) {
  const prepare = createPrepareSession(deps);
  /**
   * @returns also `displaced`: the keys of the sessions that exceed the user's limit now
   * @throws {Problem} 400, 401 `signed_out`, 409 `refresh_token_in_use`, 429
   */
  return async (idToken: string, opening: SessionOpening) => {
    const { record, ...opened } = await prepare(idToken, opening);
    const { slot, displaced, leave } = await deps.enter(opened.key, record);
    await deps.store.open(opened.key, { ...record, slot }).catch(async (err: unknown) => {
      await leave();
      throw err;
    });
    deps.notes.noteOpening(record);
    return { ...opened, displaced };
  };
}

const invalidClient = (): Problem =>
  validationFailed([
    {
      pointer: '/client_id',
      code: 'invalid_enum',
      detail: 'ID tokens issued to this client are not accepted.',
    },
  ]);
