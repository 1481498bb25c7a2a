import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen } from '../testing/listen.ts';

let world: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  world = await listen();
});
afterAll(() => world.close());

/** Sends the request line unchanged, which `fetch` cannot do. */
async function send(
  target: string,
  options: { method?: string; form?: string } = {},
): Promise<{ status: number | undefined; location: string | undefined; body: string }> {
  const { hostname, port } = new URL(world.issuer);
  return new Promise((resolve, reject) => {
    const headers = options.form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
    request({ hostname, port, path: target, method: options.method ?? 'GET', headers }, (answer) => {
      const { statusCode: status, headers: given } = answer;
      text(answer).then((body) => resolve({ status, location: given.location, body }), reject);
    })
      .once('error', reject)
      .end(options.form);
  });
}

const AUTHORIZATION = new URLSearchParams({
  client_id: 'app',
  response_type: 'code',
  redirect_uri: 'http://127.0.0.1:1/callback',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
});

// RFC 9112 §3.2.2: a server must accept such a target, whose host is chosen by the sender.
describe('a request target in absolute form', () => {
  it.each([
    'http://evil.example',
    'https://evil.example:8443',
    'http://evil.example:99999',
    'http://user@evil',
    'HTTP://evil',
  ])('does not change the URLs of our endpoints: %s', async (origin) => {
    const answer = await send(`${origin}/.well-known/openid-configuration`);
    expect([answer.status, answer.body]).toEqual([200, expect.not.stringContaining('evil')]);
    expect(JSON.parse(answer.body)).toMatchObject({
      issuer: world.issuer,
      authorization_endpoint: `${world.issuer}/oauth/authorize`,
      token_endpoint: `${world.issuer}/oauth/token`,
    });
  });

  it('keeps its query, and starts a sign-in at our host', async () => {
    const answer = await send(`http://evil.example/oauth/authorize?${AUTHORIZATION}`);
    expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/^\/interaction\//)]);
  });

  it('is handled at the token endpoint like any other target', async () => {
    const form = 'grant_type=refresh_token&refresh_token=unknown&client_id=app';
    const answer = await send('http://evil.example:99999/oauth/token', { method: 'POST', form });
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'invalid_grant']);
  });
});

describe('an unsupported method', () => {
  it.each([
    ['/oauth/authorize', 'PUT', 'GET, HEAD'],
    ['/oauth/authorize', 'OPTIONS', 'GET, HEAD'],
    ['/oauth/authorize/some-interaction', 'POST', 'GET, HEAD'],
    ['/oauth/logout', 'DELETE', 'GET, HEAD'],
    ['/oauth/logout/confirm', 'GET', 'POST'],
    ['/oauth/logout/success', 'POST', 'GET, HEAD'],
    ['/userinfo', 'DELETE', 'GET, HEAD, POST'],
    ['/.well-known/jwks.json', 'POST', 'GET, HEAD'],
    ['/.well-known/openid-configuration', 'POST', 'GET, HEAD'],
    ['/.well-known/oauth-authorization-server', 'PATCH', 'GET, HEAD'],
  ])('at %s returns a problem that lists the supported methods: %s', async (path, method, allow) => {
    const answer = await fetch(`${world.issuer}${path}`, { method });
    expect([answer.status, answer.headers.get('allow'), answer.headers.get('content-type')]).toEqual([
      405,
      allow,
      'application/problem+json; charset=utf-8',
    ]);
  });
});
