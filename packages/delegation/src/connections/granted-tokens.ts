import { shownValue, withoutSecrets } from '@legate/oauth';
import { beyond, isBearerToken, scopesOf, within, withinResource } from '../oauth-peers/token-checks.ts';
import type { TokenAnswer } from './authorization-client.ts';

export interface GrantedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Epoch seconds; undefined if the authorization server returned no expiry */
  readonly expiresAt: number | undefined;
  readonly scopes: readonly string[];
}

/**
 * Checks the response of a token endpoint before any of it is stored. The tokens themselves are opaque to us.
 * @param expected.scopes that the user was asked to consent to, or has consented to: fewer may be granted, never others
 * @param now epoch seconds
 * @returns the tokens, or the reason why they cannot be used
 */
export function checkTokens(
  body: TokenAnswer,
  expected: { resource: string; scopes: readonly string[] },
  now: number,
): GrantedTokens | string {
  const refuse = (reason: string) => withoutSecrets(reason, [body.access_token, body.refresh_token]);
  // A token that is bound to a key (`DPoP`) would be refused, or accepted by a server that does not check the binding.
  if (body.token_type !== 'bearer')
    return refuse(`its token_type is not Bearer, but ${shownValue(body.token_type)}`);
  if (!isBearerToken(body.access_token)) return 'its access_token is not a bearer token';
  if (!withinResource(body.resource, expected.resource))
    return refuse(`its token is for another resource, ${shownValue(body.resource)}`);
  const scopes = scopesOf(body.scope, expected.scopes);
  if (!within(scopes, expected.scopes))
    return refuse(
      `its scope is broader than what the user consented to, by ${beyond(scopes, expected.scopes)}`,
    );
  return {
    accessToken: body.access_token,
    refreshToken: body.refresh_token,
    expiresAt: body.expires_in === undefined ? undefined : now + Math.floor(body.expires_in),
    // RFC 6749 §5.1: the scope is omitted if it is identical to the requested one.
    scopes: scopes ?? expected.scopes,
  };
}
