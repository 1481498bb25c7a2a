import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as openid from 'openid-client';

/**
 * Signs the user in as a program in a terminal does (RFC 8252): in their browser, which comes back to this machine.
 * @param options.show shows the user the address to open
 */
export async function signIn(options: { issuer: string; clientId: string; show: (text: string) => void }) {
  const issuer = new URL(options.issuer);
  const plain = issuer.protocol === 'http:' ? { execute: [openid.allowInsecureRequests] } : {}; // development only
  const client = await openid.discovery(issuer, options.clientId, undefined, openid.None(), plain);
  const codeVerifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const called = new Promise<URL>((resolve) => {
    server.on('request', (req, res) => {
      const url = new URL(req.url ?? '/', redirectUri);
      const isOurs = url.pathname === '/callback' && url.searchParams.get('state') === state;
      res.writeHead(isOurs ? 200 : 404, { 'Content-Type': 'text/plain', Connection: 'close' });
      res.end(isOurs ? 'You are signed in. Go back to the terminal.' : 'Not found');
      if (isOurs) resolve(url);
    });
  });
  const url = openid.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope: 'openid email offline_access',
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
  });
  options.show(`Sign in: ${url.href}`);
  const callback = await called;
  server.close();
  const tokens = await openid.authorizationCodeGrant(client, callback, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    idTokenExpected: true,
  });
  return { idToken: tokens.id_token ?? '', refreshToken: tokens.refresh_token };
}
