import * as openid from 'openid-client';
import { freshIdToken, type UserTokens } from './fresh-id-token.ts';

/** What the session of a browser holds while its user is at the sign-in page. */
export interface PendingSignIn {
  readonly codeVerifier: string;
  readonly state: string;
  readonly nonce: string;
}
export interface SignedIn extends UserTokens {
  readonly name: string;
  readonly email: string;
}

/** Signs users in at an OpenID provider: authorization code with PKCE, state and nonce, as a public client. */
export async function createSignIn(options: { issuer: string; clientId: string; redirectUri: string }) {
  const issuer = new URL(options.issuer);
  const plain = issuer.protocol === 'http:' ? { execute: [openid.allowInsecureRequests] } : {}; // development only
  const client = await openid.discovery(issuer, options.clientId, undefined, openid.None(), plain);

  return {
    async begin(): Promise<{ url: URL; pending: PendingSignIn }> {
      const pending = {
        codeVerifier: openid.randomPKCECodeVerifier(),
        state: openid.randomState(),
        nonce: openid.randomNonce(),
      };
      const url = openid.buildAuthorizationUrl(client, {
        redirect_uri: options.redirectUri,
        scope: 'openid email profile offline_access',
        code_challenge: await openid.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
        state: pending.state,
        nonce: pending.nonce,
      });
      return { url, pending };
    },

    /** @throws when the answer is not that of this sign-in, or the user did not sign in */
    async finish(callback: URL, pending: PendingSignIn): Promise<SignedIn> {
      const tokens = await openid.authorizationCodeGrant(client, callback, {
        pkceCodeVerifier: pending.codeVerifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!tokens.id_token || !claims) throw new Error('the identity provider returned no ID token');
      const email = String(claims.email ?? claims.sub);
      return {
        name: String(claims.name ?? email),
        email,
        idToken: tokens.id_token,
        expiresAt: claims.exp,
        refreshToken: tokens.refresh_token,
      };
    },

    freshIdToken: (user: SignedIn): Promise<string> => freshIdToken(client, user),

    /** Where the browser goes to end the sign-in at the identity provider, too. */
    signOutUrl: (user: SignedIn, returnTo: string): URL =>
      openid.buildEndSessionUrl(client, {
        id_token_hint: user.idToken,
        post_logout_redirect_uri: returnTo,
      }),
  };
}
