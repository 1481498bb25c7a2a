import { type ClientCredentials, createDiscoveredClient } from '@legate/client-authentication';
import type { OrganizationRule } from '@legate/identity-providers';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client';
import { type PendingSignIn, SIGN_IN_SECONDS } from '../sessions/cookies.ts';
import { toFailure } from './failures.ts';
import { type Grant, toGrant } from './grant.ts';
import { SCOPE } from './scope.ts';

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

/** Authorization code with PKCE, state, nonce and `iss` (RFC 9700 §2.1, RFC 9207), by openid-client. */
export function createIdentityProvider(deps: {
  issuer: string;
  clientId: string;
  credentials: ClientCredentials;
  publicUrl: string;
  /** The resource identifier of the management API */
  resource: string;
  organizationRule: OrganizationRule;
  authorizationParameters?: string | undefined;
  fetch: typeof globalThis.fetch;
  clock: () => Date;
}) {
  const { publicUrl, resource, organizationRule } = deps;
  const redirectUri = `${publicUrl}/bff/callback`;
  const now = () => Math.floor(deps.clock().getTime() / 1000);
  const discoveredClient = createDiscoveredClient(deps);
  const client = () =>
    discoveredClient().catch((err: unknown) => {
      throw toFailure(err);
    });

  return {
    async begin(returnTo: string, previous: string | undefined) {
      const pending: PendingSignIn = {
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
        returnTo,
        ...(previous !== undefined && { previous }),
        expiresAt: now() + SIGN_IN_SECONDS,
      };
      const url = buildAuthorizationUrl(await client(), {
        ...Object.fromEntries(new URLSearchParams(deps.authorizationParameters)),
        redirect_uri: redirectUri,
        scope: SCOPE,
        resource,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },

    /** @param search query of the callback, as the browser sent it. @throws {SignInFailed} */
    async complete(pending: PendingSignIn, search: string): Promise<Grant> {
      const config = await client();
      try {
        const answer = await authorizationCodeGrant(
          config,
          new URL(`${redirectUri}${search}`),
          {
            expectedState: pending.state,
            expectedNonce: pending.nonce,
            pkceCodeVerifier: pending.codeVerifier,
            idTokenExpected: true,
          },
          { resource },
        );
        return toGrant(answer, { organizationRule, now: now() });
      } catch (err) {
        throw toFailure(err);
      }
    },

    /** @throws {SignInFailed} `sign_in_refused` if the refresh token is no longer accepted */
    async refresh(refreshToken: string): Promise<Grant> {
      const config = await client();
      try {
        const answer = await refreshTokenGrant(config, refreshToken, { resource });
        return toGrant(answer, { organizationRule, now: now() });
      } catch (err) {
        throw toFailure(err);
      }
    },

    /** @throws {SignInFailed} */
    async revoke(refreshToken: string): Promise<void> {
      const config = await client();
      if (config.serverMetadata().revocation_endpoint === undefined) return;
      await tokenRevocation(config, refreshToken, { token_type_hint: 'refresh_token' }).catch(
        (err: unknown) => {
          throw toFailure(err);
        },
      );
    },

    /** @returns URL of the provider's sign-out page, without a token in it; undefined if it has no such page */
    async signOutUrl(returnTo: string): Promise<string | undefined> {
      const endpoint = (await client()).serverMetadata().end_session_endpoint;
      if (endpoint === undefined) return undefined;
      const url = new URL(endpoint);
      url.searchParams.set('client_id', deps.clientId);
      url.searchParams.set('post_logout_redirect_uri', returnTo);
      return url.href;
    },
  };
}
