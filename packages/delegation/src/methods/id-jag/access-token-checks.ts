import { shownValue, withoutSecrets } from '@legate/oauth';
import type { AccessToken } from '../../domain/delegation.ts';
import { beyond, isBearerToken, scopesOf, within, withinResource } from '../../oauth-peers/token-checks.ts';
import type { TokenResponse } from '../../oauth-peers/token-request.ts';

export type CheckedAccessToken =
  | { readonly ok: true; readonly credential: AccessToken }
  | { readonly ok: false; readonly reason: string };

/**
 * Checks the response of the JWT bearer grant before anything of it is stored. The token itself is opaque to us.
 * @param expected.requested the scopes of the request: a token may have fewer scopes, never more
 * @param expected.granted the scopes that the assertion is known to have; undefined if nobody has named them
 * @param now epoch seconds
 */
export function checkAccessToken(
  body: TokenResponse,
  expected: {
    method: AccessToken['method'];
    resource: string;
    requested: readonly string[];
    granted: readonly string[] | undefined;
  },
  now: number,
): CheckedAccessToken {
  const refuse = (detail: string): CheckedAccessToken => ({
    ok: false,
    reason: withoutSecrets(`JWT bearer grant: ${detail}`, [body.access_token]),
  });
  if (body.token_type !== 'bearer')
    return refuse(`token_type is not Bearer, but ${shownValue(body.token_type)}`);
  if (!isBearerToken(body.access_token)) return refuse('access_token is not a bearer token');
  if (!withinResource(body.resource, expected.resource))
    return refuse(`resource is not the one asked for, but ${shownValue(body.resource)}`);
  const scopes = scopesOf(body.scope, expected.requested);
  if (!within(scopes, expected.requested))
    return refuse(`scope is broader than asked, by ${beyond(scopes, expected.requested)}`);
  return {
    ok: true,
    credential: {
      kind: 'access_token',
      method: expected.method,
      accessToken: body.access_token,
      expiresAt: body.expires_in === undefined ? undefined : now + Math.floor(body.expires_in),
      // RFC 6749 §5.1: the scope is omitted if it is identical to the requested one. If neither the identity provider nor
      // the server has named any, the token must not count as one that has what was asked for.
      scopes: scopes ?? expected.granted ?? [],
    },
  };
}
