import * as openid from 'openid-client';
import { createBrowser } from './browser.ts';
import { PASSWORD } from './scene.ts';

/** Redirect URI of the scene's client `app`; no server listens there. */
export const REDIRECT_URI = 'http://127.0.0.1:59999/callback';
export const ALICE = { email: 'alice@acme.example', password: PASSWORD };

/** Configures an OpenID client for the service at `issuer`. @param secret default: none, for a public client */
export const discover = (issuer: string, clientId = 'app', secret?: string): Promise<openid.Configuration> =>
  openid.discovery(
    new URL(issuer),
    clientId,
    undefined,
    secret === undefined ? openid.None() : openid.ClientSecretBasic(secret),
    { execute: [openid.allowInsecureRequests] },
  );

/** Creates an authorization request, with everything that is needed to redeem its code. */
export async function beginSignIn(client: openid.Configuration, parameters: Record<string, string> = {}) {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const url = openid.buildAuthorizationUrl(client, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    ...parameters,
  });
  return { url: url.href, checks: { pkceCodeVerifier, expectedState, idTokenExpected: true } };
}

/**
 * Signs a user in through the page, at the client `app`.
 * @param options.user default: Alice
 * @param options.browser default: a new one without a session
 */
export async function signIn(
  issuer: string,
  parameters: Record<string, string> = {},
  options: { user?: { email: string; password: string }; browser?: ReturnType<typeof createBrowser> } = {},
) {
  const client = await discover(issuer);
  const browser = options.browser ?? createBrowser();
  const { url, checks } = await beginSignIn(client, parameters);
  const page = await browser.open(url);
  const result = await browser.submit(page, options.user ?? ALICE);
  if (!('left' in result)) throw new Error(`not signed in: ${result.page.status}`);
  const tokens = await openid.authorizationCodeGrant(client, result.left, checks);
  return { client, browser, callback: result.left, checks, tokens };
}
