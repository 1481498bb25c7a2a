import * as openid from 'openid-client';
import { type BrowserStep, createBrowser } from './browser.ts';
import { IDP_CLIENTS, PASSWORD } from './scene.ts';

export interface SignedIn {
  readonly idToken: string;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly authorizationUrl: string;
}

/** The development client may use any loopback port; nothing listens there, the code is read from the URL. */
const REDIRECT_URI = 'http://127.0.0.1:5173/callback';

/**
 * Signs a user of the scene in at the identity provider, as the frontend application does or as another client: authorization code with PKCE,
 * state and nonce, through the real sign-in page.
 * @param options.resource requests an access token for that API (RFC 8707)
 */
export async function signIn(options: {
  issuer: string;
  email: string;
  /** Default: the frontend application */
  client?: { readonly id: string; readonly secret: string };
  password?: string;
  resource?: string;
  scope?: string;
  /** W3C Trace Context: the trace in which the code is exchanged */
  traceparent?: string;
  onStep?: (step: BrowserStep) => void;
}): Promise<SignedIn> {
  const client = await openid.discovery(
    new URL(options.issuer),
    options.client?.id ?? IDP_CLIENTS.frontend.id,
    undefined,
    options.client ? openid.ClientSecretPost(options.client.secret) : openid.None(),
    {
      execute: [openid.allowInsecureRequests], // plain http on loopback
    },
  );
  const { traceparent } = options;
  if (traceparent !== undefined)
    client[openid.customFetch] = (url, { body, headers, ...init }) =>
      fetch(url, { ...init, headers: { ...headers, traceparent }, ...(body !== undefined && { body }) });
  const codeVerifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const nonce = openid.randomNonce();
  const authorizationUrl = openid.buildAuthorizationUrl(client, {
    redirect_uri: REDIRECT_URI,
    scope: options.scope ?? 'openid email profile',
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...(options.resource && { resource: options.resource }),
  }).href;
  const callback = await createBrowser(options.onStep).signIn(
    authorizationUrl,
    REDIRECT_URI,
    options.email,
    options.password ?? PASSWORD,
  );
  const tokens = await openid.authorizationCodeGrant(
    client,
    callback,
    { pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
    options.resource ? { resource: options.resource } : {},
  );
  if (!tokens.id_token) throw new Error('the identity provider returned no ID token');
  return {
    idToken: tokens.id_token,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    authorizationUrl,
  };
}
