import type { ExchangeToken, ExchangeTokenLack } from '@legate/delegation';
import type { SubjectTokenType } from '@legate/identity-providers';
import type { LendRefreshToken } from './lend-refresh-token.ts';
import { type AccessTokenTerms, lifetimeOf } from './presented-access-token.ts';
import type { GivenAccess } from './refresh-tokens.ts';
import type { SealedAccess, SessionRecord, StoredSession } from './session-record.ts';

/** Seconds before its end at which an access token is renewed; the last fifth of a shorter lifetime */
const LEAD_SECONDS = 60;
/** Assumed lifetime if nothing declares one */
const DEFAULT_SECONDS = 300;
/** Seconds before its end at which an access token is not sent any more: its refusal would end the session */
const MARGIN_SECONDS = 10;

type Held = Pick<SessionRecord, 'access' | 'refreshToken' | 'clientId' | 'grant' | 'isProven'>;

/** Chooses the token of a sign-in that the identity provider exchanges, and what a session keeps for that. */
export type ExchangeTokens = ReturnType<typeof createExchangeTokens>;

/** @param deps.terms of access tokens of applications; they name the only client whose refresh tokens we may present */
export function createExchangeTokens(deps: {
  type: SubjectTokenType;
  terms: AccessTokenTerms;
  lend: LendRefreshToken;
  now: () => number;
}) {
  const { type, terms, lend, now } = deps;
  const isUsable = ({ access }: Pick<Held, 'access'>): boolean =>
    access !== undefined && (access.expiresAt ?? access.renewAt) - MARGIN_SECONDS > now();
  const lacking = (lack: ExchangeTokenLack): ExchangeToken => ({ type, lack });

  /** Returns what a session keeps of an access token; undefined if the provider exchanges another token. */
  function kept(access: GivenAccess | undefined): SealedAccess | undefined {
    if (type !== 'access_token' || access === undefined) return undefined;
    const { token, seconds = DEFAULT_SECONDS } = access;
    const expiresAt = Math.floor(now() + seconds);
    return { token, renewAt: Math.floor(expiresAt - Math.min(LEAD_SECONDS, seconds / 5)), expiresAt };
  }

  /**
   * Returns true for a refresh token that an application has presented, until a renewal has shown whose it is: sent with
   * the hub's authentication, another user's would be exchanged too, and a pairwise `sub` in the ID-JAG tells nothing.
   */
  const isUnproven = ({ refreshToken, clientId, grant, isProven = false }: Held): boolean =>
    type === 'refresh_token' &&
    refreshToken !== undefined &&
    clientId === terms.hubClientId &&
    // Otherwise it comes from a sign-in at the hub.
    grant === undefined &&
    !isProven;

  return {
    /** The reason why a caller without a session has no such token; undefined: their ID token is exchanged */
    withoutSession: type === 'id_token' ? undefined : lacking('session'),
    /** Returns the token of a session; undefined: its ID token is exchanged. */
    of(session: StoredSession): ExchangeToken | undefined {
      const { record } = session;
      const { access, refreshToken, clientId } = record;
      switch (type) {
        case 'id_token':
          return undefined;
        case 'access_token':
          if (access && isUsable(record)) return { type, token: access.token };
          return lacking(refreshToken === undefined ? 'session' : 'renewal');
        case 'refresh_token':
          if (refreshToken === undefined) return lacking('session');
          if (clientId !== terms.hubClientId) return lacking('client');
          return isUnproven(record) ? lacking('renewal') : { type, lend: lend(session) };
      }
    },
    /** True if a session needs its refresh token for more than new ID tokens */
    useRefreshTokens: type !== 'id_token',
    isUnproven,
    /** Returns true if a refresh would give the session what exchanges will need: an access token, or a proof. */
    isWanted: (record: Held): boolean =>
      isUnproven(record) ||
      (type === 'access_token' &&
        record.refreshToken !== undefined &&
        (record.access?.renewAt ?? 0) <= now()),
    /** Returns true if exchanges need what only a refresh gives the session. */
    isMissing: (record: Held): boolean =>
      isUnproven(record) ||
      (type === 'access_token' && record.refreshToken !== undefined && !isUsable(record)),
    kept,
    /**
     * Returns what a session keeps of an access token that an application presents.
     * @throws {Problem} 400 `validation_failed`
     */
    presented(
      token: string,
      of: { readonly userId: string; readonly idToken: string },
    ): SealedAccess | undefined {
      if (type !== 'access_token') return undefined;
      return kept({ token, seconds: lifetimeOf(token, of, terms, now()) });
    },
  };
}
