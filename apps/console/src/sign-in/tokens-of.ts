import type { Tokens } from '../sessions/session-record.ts';
import type { Grant } from './grant.ts';

/** Seconds before the end of a token at which it is renewed */
const RENEW_BEFORE_SECONDS = 120;

/**
 * @param kept tokens of the session before a refresh: an identity provider may return only an access token
 * @param now epoch seconds
 */
export function tokensOf(grant: Grant, now: number, kept?: Tokens): Tokens | undefined {
  const idToken = grant.identity?.idToken ?? kept?.idToken;
  if (idToken === undefined) return undefined;
  const refreshToken = grant.refreshToken ?? kept?.refreshToken;
  const expiresAt = Math.min(grant.accessTokenExpiresAt, grant.identity?.expiresAt ?? Infinity);
  const life = expiresAt - now;
  return {
    accessToken: grant.accessToken,
    accessTokenExpiresAt: grant.accessTokenExpiresAt,
    idToken,
    ...(refreshToken !== undefined && { refreshToken }),
    // Tokens with a short lifetime would otherwise be renewed for each request.
    renewAt: now + Math.max(life - RENEW_BEFORE_SECONDS, Math.floor(life / 2)),
  };
}
