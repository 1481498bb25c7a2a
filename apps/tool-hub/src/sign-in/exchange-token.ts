import type { ExchangeToken, ExchangeTokenLack } from '@legate/delegation';
import type { SubjectTokenType } from '@legate/identity-providers';
import type { RenewedTokens } from './refresh-tokens.ts';
import type { SessionRecord } from './session-record.ts';

/** Seconds before its end at which an access token is renewed; the last fifth of a shorter lifetime */
const LEAD_SECONDS = 60;
/** Assumed lifetime if the provider does not declare one */
const DEFAULT_SECONDS = 300;

type Held = Pick<SessionRecord, 'access' | 'refreshToken' | 'refreshRotates' | 'clientId'>;

/** Chooses the token of a sign-in that the identity provider exchanges, and stores it with the session. */
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
    /** The reason why a caller without a session has no such token; undefined: their ID token is exchanged */
    withoutSession: type === 'id_token' ? undefined : lacking('session'),
    /** Returns the token of a session; undefined: its ID token is exchanged. */
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
    /** Returns the parts of a refresh that a session stores, besides ID token and refresh token. */
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
