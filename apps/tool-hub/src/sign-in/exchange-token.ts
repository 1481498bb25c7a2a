import type { ExchangeToken, ExchangeTokenLack, SubjectTokenType } from '@legate/delegation';
import type { RenewedTokens } from './refresh-tokens.ts';
import type { SessionRecord } from './session-record.ts';

/** An access token is renewed in its last minute, or in the last fifth of a shorter life. */
const LEAD_SECONDS = 60;
/** Where the provider does not say how long one lives */
const DEFAULT_SECONDS = 300;

type Held = Pick<SessionRecord, 'access' | 'refreshToken' | 'refreshRotates' | 'clientId'>;

/** Chooses the token of a sign-in that the identity provider exchanges, and keeps it with the session. */
export type ExchangeTokens = ReturnType<typeof createExchangeTokens>;

/** @param deps.hubClientId the only client whose refresh tokens we may present ourselves */
export function createExchangeTokens(deps: {
  type: SubjectTokenType;
  hubClientId: string;
  now: () => number;
}) {
  const { type, hubClientId, now } = deps;
  const isFresh = ({ access }: Held): boolean => access !== undefined && access.renewAt > now();
  const lacking = (lack: ExchangeTokenLack): ExchangeToken => ({ type, lack });

  return {
    /** Why a caller without a session has no such token; undefined: their ID token is exchanged */
    withoutSession: type === 'id_token' ? undefined : lacking('session'),
    /** Returns the token of a session; undefined: its ID token. */
    of(record: Held): ExchangeToken | undefined {
      const { access, refreshToken, refreshRotates, clientId } = record;
      switch (type) {
        case 'id_token':
          return undefined;
        case 'access_token':
          if (access && isFresh(record)) return { type, token: access.token };
          return lacking(refreshToken === undefined ? 'session' : 'renewal');
        case 'refresh_token':
          if (refreshToken === undefined) return lacking('session');
          if (clientId !== hubClientId) return lacking('client');
          return refreshRotates ? lacking('rotation') : { type, token: refreshToken };
      }
    },
    /** Returns true if a refresh would give the session an access token that it needs. */
    isWanted: (record: Held): boolean =>
      type === 'access_token' && record.refreshToken !== undefined && !isFresh(record),
    /** Returns what a session keeps of a refresh, besides ID token and refresh token. */
    kept(
      { access, refreshToken }: RenewedTokens,
      sent: string,
    ): Pick<SessionRecord, 'access' | 'refreshRotates'> {
      if (type === 'refresh_token')
        return refreshToken !== undefined && refreshToken !== sent ? { refreshRotates: true } : {};
      if (type === 'id_token' || access === undefined) return {};
      const { token, seconds = DEFAULT_SECONDS } = access;
      return {
        access: { token, renewAt: Math.floor(now() + seconds - Math.min(LEAD_SECONDS, seconds / 5)) },
      };
    },
  };
}
