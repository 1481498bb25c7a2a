import { clientAuthentication } from '@legate/client-authentication';
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration as Client,
  Configuration,
  calculatePKCECodeChallenge,
  None,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client';
import { z } from 'zod';
import type { UserAuthorization } from '../oauth-peers/discovery/discover-user-authorization.ts';
import { classifyFailure, type PeerFailure } from '../oauth-peers/peer-failure.ts';
import { afterFailure, type Sent } from '../oauth-peers/sent-token.ts';
import { sendThrough } from '../oauth-peers/token-client.ts';
import { atTokenEndpoint, TokenResponse, unusableMembers } from '../oauth-peers/token-request.ts';
import type { ConsentClient } from './consent-client.ts';

/** Our client at one authorization server, for one connector. */
export type AuthorizationClient = Client;

const Token = z.string().min(1).max(16_384);
/** RFC 6749 §5.1: the token response, with the refresh token and tokens that are kept */
const TokenAnswer = TokenResponse.extend({ access_token: Token, refresh_token: Token.optional() });
export type TokenAnswer = z.output<typeof TokenAnswer>;

export type GrantAnswer =
  | { readonly kind: 'answered'; readonly body: TokenAnswer }
  | { readonly kind: 'failed'; readonly failure: PeerFailure }
  /** The user declined, or the authorization server declined without asking the user. */
  | { readonly kind: 'declined' };

/**
 * @param fetch the guarded client's: it follows no redirect, limits time and size, and checks addresses
 * @throws {Error} for an unusable private key
 */
export async function createAuthorizationClient(
  authorization: UserAuthorization,
  { clientId, clientAuth }: ConsentClient,
  fetch: typeof globalThis.fetch,
): Promise<AuthorizationClient> {
  const { issuer, authorizationEndpoint, tokenEndpoint, authMethods, revocationEndpoint, sendsIssuer } =
    authorization;
  const metadata = {
    issuer,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    token_endpoint_auth_methods_supported: [...authMethods],
    ...(revocationEndpoint !== undefined && { revocation_endpoint: revocationEndpoint }),
    authorization_response_iss_parameter_supported: sendsIssuer,
  };
  const authentication = clientAuth ? await clientAuthentication(clientAuth) : None();
  const client = new Configuration(metadata, clientId, undefined, authentication);
  return sendThrough(client, metadata, fetch);
}

/** RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2 */
export async function authorizationUrl(
  client: AuthorizationClient,
  request: {
    redirectUri: string;
    state: string;
    codeVerifier: string;
    resource: string;
    scopes: readonly string[];
  },
): Promise<string> {
  const url = buildAuthorizationUrl(client, {
    redirect_uri: request.redirectUri,
    state: request.state,
    code_challenge: await calculatePKCECodeChallenge(request.codeVerifier),
    code_challenge_method: 'S256',
    resource: request.resource,
    ...(request.scopes.length > 0 && { scope: request.scopes.join(' ') }),
  });
  return url.href;
}

/**
 * Checks `iss` (RFC 9207) and `state` of an authorization response, and redeems its code.
 * @param response the redirect URI with the received parameters
 */
export const redeemCode = (
  client: AuthorizationClient,
  response: URL,
  expected: { state: string; codeVerifier: string; resource: string },
): Promise<GrantAnswer> =>
  answerOf(
    client,
    authorizationCodeGrant(
      client,
      response,
      { expectedState: expected.state, pkceCodeVerifier: expected.codeVerifier },
      { resource: expected.resource },
    ),
  );

/** RFC 6749 §6. The request has no scope, so the new token has the scope that was granted. */
export async function redeemRefreshToken(
  client: AuthorizationClient,
  refreshToken: string,
  resource: string,
): Promise<Sent<TokenAnswer, PeerFailure>> {
  try {
    const body = await refreshTokenGrant(client, refreshToken, { resource });
    const parsed = TokenAnswer.safeParse(body);
    return parsed.success
      ? { kind: 'refreshed', tokens: parsed.data }
      : { kind: 'spent', failure: atTokenEndpoint(client, unusableMembers(parsed.error, body)) };
  } catch (err) {
    return afterFailure(err);
  }
}

/**
 * Revokes tokens by RFC 7009, if there is an endpoint. Never throws: a token that cannot be revoked there is still
 * dropped here.
 */
export async function revokeAt(
  client: AuthorizationClient,
  tokens: { accessToken: string | undefined; refreshToken: string | undefined },
): Promise<void> {
  if (!client.serverMetadata().revocation_endpoint) return;
  const { accessToken, refreshToken } = tokens;
  // Also revokes the access token, because not every server revokes it with its refresh token (§2.1: SHOULD).
  await Promise.allSettled([
    ...(refreshToken === undefined
      ? []
      : [tokenRevocation(client, refreshToken, { token_type_hint: 'refresh_token' })]),
    ...(accessToken === undefined
      ? []
      : [tokenRevocation(client, accessToken, { token_type_hint: 'access_token' })]),
  ]);
}

/** Returns an error code (RFC 6749 §5.2) with what helps, if the client itself is refused. */
export const withAdvice = (error: string): string =>
  error === 'invalid_client' || error === 'unauthorized_client'
    ? `${error}: compare client_id, secret and token_endpoint_auth_method of the connector with the registration there`
    : error;

async function answerOf(client: AuthorizationClient, grant: Promise<unknown>): Promise<GrantAnswer> {
  try {
    const body = await grant;
    const parsed = TokenAnswer.safeParse(body);
    return parsed.success
      ? { kind: 'answered', body: parsed.data }
      : { kind: 'failed', failure: atTokenEndpoint(client, unusableMembers(parsed.error, body)) };
  } catch (err) {
    if (err instanceof AuthorizationResponseError) return refusedBy(err);
    return { kind: 'failed', failure: atTokenEndpoint(client, classifyFailure(err)) };
  }
}

/** RFC 6749 §4.1.2.1: only the error code of the response is used. */
function refusedBy({ error }: AuthorizationResponseError): GrantAnswer {
  if (error === 'access_denied') return { kind: 'declined' };
  const known = /^[a-z_]{1,64}$/.test(error) ? error : 'unknown error';
  const failure = { kind: 'refused', error: known, maxAge: undefined, acrValues: undefined } as const;
  return { kind: 'failed', failure };
}
