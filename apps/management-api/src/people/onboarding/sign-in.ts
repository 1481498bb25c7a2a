import { type ClientCredentials, createDiscoveredClient } from '@legate/client-authentication';
import { type OrganizationRule, organizationOf, userIdOf } from '@legate/identity-providers';
import { optional, TokenRefused } from '@legate/jwt';
import type { EncryptionKeys, UseOnce } from '@legate/secure-store';
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { z } from 'zod';
import { problem } from '../../domain/problem-codes.ts';
import { idpError, idpUnavailable, oauthStateInvalid } from './problems.ts';
import { createSealedCookie } from './sealed-cookie.ts';
import type { Identity } from './steps.ts';

/** The state of a sign-in while the browser is at the identity provider; only the browser stores it, encrypted. */
export const PendingSignIn = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  /** True if our own pages continue; if false, the page at `returnTo` does */
  inPages: z.boolean().default(false),
  /** Epoch seconds */
  expiresAt: z.number(),
});
export type PendingSignIn = z.output<typeof PendingSignIn>;

const SIGN_IN_SECONDS = 600;

export const createSignInCookie = (options: { keys: EncryptionKeys; secure: boolean }) =>
  createSealedCookie({ ...options, name: 'oauth', schema: PendingSignIn, maxAgeSeconds: SIGN_IN_SECONDS });

export type SignIn = ReturnType<typeof createSignIn>;

const IdTokenClaims = z.looseObject({
  email: optional.text,
  email_verified: optional.flag,
  name: optional.text,
});

/** Authorization code with PKCE, state, nonce and `iss` (RFC 9700 §2.1, RFC 9207), by openid-client. */
export function createSignIn(deps: {
  issuer: string;
  clientId: string;
  credentials: ClientCredentials;
  redirectUri: string;
  organizationRule: OrganizationRule;
  /** The claim of ID tokens that is the id of a user */
  userClaim: string;
  /** True if an address counts as proven unless the identity provider states otherwise */
  trustIdpEmail: boolean;
  fetch: typeof globalThis.fetch;
  /** Ensures that a copied cookie cannot sign in twice. */
  useOnce: UseOnce;
  clock: () => Date;
}) {
  const { redirectUri, clock } = deps;
  const discoveredClient = createDiscoveredClient(deps);
  const client = () =>
    discoveredClient().catch((err: unknown) => {
      throw toProblem(err);
    });

  return {
    async begin(returnTo: string, { inPages = false, anotherUser = false } = {}) {
      const pending: PendingSignIn = {
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
        returnTo,
        inPages,
        expiresAt: Math.floor(clock().getTime() / 1000) + SIGN_IN_SECONDS,
      };
      const url = buildAuthorizationUrl(await client(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
        ...(anotherUser && { prompt: 'login' }),
      });
      return { url: url.href, pending };
    },

    /**
     * @param search query string of the callback, as the browser sent it
     * @returns the tokens as the token endpoint returned them; undefined if the identity provider reports that the user
     * did not sign in
     * @throws {Problem} 400 `oauth_state_invalid`, 502, 503
     */
    async complete(pending: PendingSignIn | undefined, search: string) {
      const isOurs = pending && new URLSearchParams(search).get('state') === pending.state;
      if (!isOurs || pending.expiresAt * 1000 <= clock().getTime()) throw oauthStateInvalid();
      const isFirst = await deps.useOnce([pending.state], SIGN_IN_SECONDS);
      if (!isFirst) throw oauthStateInvalid();
      const config = await client();
      try {
        const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}${search}`), {
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          pkceCodeVerifier: pending.codeVerifier,
          idTokenExpected: true,
        });
        return { identity: identityOf(tokens.claims(), deps), tokens: { ...tokens } };
      } catch (err) {
        if (err instanceof AuthorizationResponseError) return undefined;
        throw toProblem(err);
      }
    },
  };
}

function identityOf(
  idToken: unknown,
  deps: { organizationRule: OrganizationRule; userClaim: string; trustIdpEmail: boolean },
): Identity {
  const claims = IdTokenClaims.parse(idToken);
  return {
    userId: userIdOf(claims, deps.userClaim),
    email: claims.email,
    emailVerified: claims.email_verified !== false,
    emailProven: claims.email_verified ?? deps.trustIdpEmail,
    name: claims.name,
    organizationId: organizationOf(deps.organizationRule, claims),
  };
}

/**
 * Blames the browser for a code that was used, is too old, or has another origin, and the identity provider for
 * anything else.
 */
function toProblem(err: unknown): unknown {
  if (err instanceof TokenRefused && err.reason === 'organization_ambiguous')
    return problem('organization_ambiguous', { cause: err });
  if (err instanceof ResponseBodyError) {
    const cause = new Error(`sign-in: status ${err.status}`);
    if (err.status >= 500) return idpUnavailable(cause);
    return err.error === 'invalid_grant' ? oauthStateInvalid(cause) : idpError(cause);
  }
  const codes = causesOf(err).map((link) => ('code' in link ? String(link.code) : link.name));
  const isOutage = codes.every((code) => !/^OAUTH_|^ERR_|ZodError|TokenRefused/.test(code));
  // Only the error codes are logged: the library's errors contain the response, including tokens.
  const cause = new Error(`sign-in: ${codes.join(', ')}`);
  return isOutage || codes.includes('OAUTH_TIMEOUT') ? idpUnavailable(cause) : idpError(cause);
}

function causesOf(err: unknown): Error[] {
  return err instanceof Error ? [err, ...causesOf(err.cause)] : [];
}
