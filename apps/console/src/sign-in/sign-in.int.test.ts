import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBackend } from '@legate/secure-store';
import { findFreePort } from '@legate/service/testing';
import request from 'supertest';
import { ALICE, CAROL, cookiesOf, type Scene, setCookiesOf, startScene } from '../testing/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

const callback = (path: string, cookie: string) => request(scene.app).get(path).set('Cookie', cookie);
const signedOut = (code: string) => `${scene.publicUrl}/signed-out?code=${code}`;

describe('the sign-in', () => {
  it('requests both tokens at once, with PKCE, state and nonce', async () => {
    const { answer, location } = await scene.begin('/audit?page=2');
    expect(answer.status).toBe(303);
    const asked = Object.fromEntries(new URL(location).searchParams);
    expect(asked).toMatchObject({
      client_id: 'legate-console',
      redirect_uri: `${scene.publicUrl}/bff/callback`,
      response_type: 'code',
      resource: 'https://api.example',
      code_challenge_method: 'S256',
      scope: expect.stringMatching(/^openid profile email offline_access .*audit:read/),
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]).toMatch(/^[\w-]{43}$/);
  });

  it('redirects to the requested path, and sends the code with the same resource', async () => {
    const { location, pending } = await scene.begin('/audit?page=2');
    const answer = await callback(scene.idp.authorize(location, ALICE), pending);
    expect([answer.status, answer.headers.location]).toEqual([303, `${scene.publicUrl}/audit?page=2`]);
    const form = new URLSearchParams(scene.idp.requests.filter(({ path }) => path === '/token').at(-1)?.body);
    expect(Object.fromEntries(form)).toMatchObject({
      grant_type: 'authorization_code',
      resource: 'https://api.example',
      code_verifier: expect.any(String),
    });
  });

  it('does not redirect to another site', async () => {
    const { location, pending } = await scene.begin('//evil.example');
    const answer = await callback(scene.idp.authorize(location, ALICE), pending);
    expect(answer.headers.location).toBe(`${scene.publicUrl}/`);
  });

  it('creates a new id each time, whatever cookie the browser sent, and ends the previous session', async () => {
    const first = await scene.signIn();
    const fixed = `console=${'A'.repeat(43)}`;
    expect(await scene.signIn(ALICE, fixed)).not.toBe(fixed);
    await scene.get('/bff/session', fixed).expect(204);
    const second = await scene.signIn(ALICE, first);
    expect(second).not.toBe(first);
    await scene.get('/bff/session', first).expect(204);
    await scene.get('/bff/session', second).expect(200);
  });
});

describe('a callback', () => {
  it('is accepted only once', async () => {
    const { location, pending } = await scene.begin();
    const path = scene.idp.authorize(location, ALICE);
    expect(cookiesOf(await callback(path, pending))).toMatch(/^console=/);
    const replayed = await callback(path, pending);
    expect([replayed.headers.location, cookiesOf(replayed)]).toEqual([signedOut('sign_in_expired'), '']);
  });

  it.each([
    ['without the cookie of the sign-in', () => ({ pending: '' })],
    ['with an altered cookie', (pending: string) => ({ pending: `${pending.slice(0, -4)}AAAA` })],
    ['with a foreign state', (pending: string) => ({ pending, state: 'a-foreign-state' })],
  ])('%s is refused before the code is sent', async (_case, change) => {
    const { location, pending } = await scene.begin();
    const { pending: cookie, ...options } = { state: '', ...change(pending) };
    const before = scene.idp.requests.length;
    const answer = await callback(scene.idp.authorize(location, ALICE, options), cookie);
    expect([answer.headers.location, cookiesOf(answer)]).toEqual([signedOut('sign_in_expired'), '']);
    expect(scene.idp.requests.length).toBe(before);
  });

  it('from another issuer is refused (RFC 9207)', async () => {
    const { location, pending } = await scene.begin();
    const path = scene.idp.authorize(location, ALICE, { iss: 'https://evil.example' });
    expect((await callback(path, pending)).headers.location).toBe(signedOut('identity_provider_fault'));
  });

  it.each([
    ['two organizations', ['org_acme', 'org_globex'], 'organization_ambiguous'],
    ['an unusable organization', 'a:b', 'identity_provider_fault'],
  ])('with %s shows what is wrong', async (_case, organization_id, code) => {
    const { location, pending } = await scene.begin();
    const answer = await callback(scene.idp.authorize(location, { ...ALICE, organization_id }), pending);
    expect(answer.headers.location).toBe(signedOut(code));
  });

  it('after ten minutes is refused', async () => {
    const { location, pending } = await scene.begin();
    scene.time.offsetMs += 601_000;
    const answer = await callback(scene.idp.authorize(location, ALICE), pending);
    expect(answer.headers.location).toBe(signedOut('sign_in_expired'));
  });

  it("with an error shows an error code of the console, and none of the identity provider's texts", async () => {
    const { location, pending } = await scene.begin();
    const state = new URL(location).searchParams.get('state') ?? '';
    const said = { error: 'access_denied', error_description: 'theirs', state, iss: scene.idp.url };
    const answer = await callback(`/bff/callback?${new URLSearchParams(said)}`, pending);
    expect(answer.headers.location).toBe(signedOut('sign_in_refused'));
  });
});

it('shows an error page of the console while the identity provider is down', async () => {
  const down = await startScene();
  await down.idp.stop();
  const answer = await request(down.app).get('/bff/sign-in');
  expect(answer.headers.location).toBe(signedOut('identity_provider_unavailable'));
  await Promise.all([down.api.stop(), down.hub.stop()]);
});

it('does not redirect to the identity provider while sessions cannot be stored', async () => {
  const redisUrl = `redis://127.0.0.1:${await findFreePort()}`;
  const store = await openBackend(redisUrl, { clock: scene.clock, onError: () => undefined });
  const down = await startScene({ backend: store.backend });
  const { answer, location, pending } = await down.begin();
  store.close();
  await down.stop();
  expect([answer.status, location, pending]).toEqual([303, signedOut('sign_in_unavailable'), '']);
});

describe('strangers', () => {
  let busy: Scene;
  beforeAll(async () => {
    busy = await startScene({ signInsPerMinute: 12 });
  });
  afterAll(() => busy.stop());

  it('begin a limited number of sign-ins from one address, and none of another address is refused for it', async () => {
    const beginFrom = async (address: string) => {
      const { headers } = await request(busy.app).get('/bff/sign-in').set('X-Forwarded-For', address);
      return headers.location ?? '';
    };
    const begun: string[] = [];
    for (let count = 0; count < 8; count++) begun.push(await beginFrom('203.0.113.7'));
    expect(begun.filter((location) => location.startsWith(`${busy.idp.url}/authorize`))).toHaveLength(4);
    expect(begun.at(-1)).toBe(signedOut('too_many_sign_ins'));
    expect(await beginFrom('198.51.100.7')).toMatch(`${busy.idp.url}/authorize`);
    busy.time.offsetMs += 61_000;
    expect(await beginFrom('203.0.113.7')).toMatch(`${busy.idp.url}/authorize`);
  });

  it.each([
    ['an image', { 'Sec-Fetch-Dest': 'image' }],
    ['a frame', { 'Sec-Fetch-Dest': 'iframe' }],
    ['a script’s request', { 'Sec-Fetch-Dest': 'empty' }],
    ['a page that is prefetched', { 'Sec-Fetch-Dest': 'document', 'Sec-Purpose': 'prefetch' }],
  ])('cannot begin a sign-in as %s', async (_what, headers) => {
    const answer = await request(scene.app).get('/bff/sign-in').set(headers).expect(403);
    expect([answer.body.code, cookiesOf(answer)]).toEqual(['request_not_from_console', '']);
  });
});

describe('the cookies', () => {
  const attributesOf = (cookies: readonly string[]) =>
    Object.fromEntries(
      cookies.map((cookie) => {
        const [pair = '', ...attributes] = cookie.split('; ');
        return [pair.split('=')[0], attributes.filter((each) => !/^(?:Expires|Max-Age)=/.test(each)).sort()];
      }),
    );

  it('over https belong to this host only, and scripts cannot read them', async () => {
    const secure = await startScene({ publicUrl: 'https://console.example' });
    const { answer, location, pending } = await secure.begin();
    expect(attributesOf(setCookiesOf(answer))).toEqual({
      '__Host-console-sign-in': ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'],
    });
    const signedIn = await request(secure.app)
      .get(secure.idp.authorize(location, ALICE))
      .set('Cookie', pending);
    expect(attributesOf(setCookiesOf(signedIn))).toEqual({
      '__Host-console-sign-in': ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'],
      '__Host-console': ['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure'],
    });
    await secure.stop();
  });

  it('over http on loopback have names without the prefix', async () => {
    const { location, pending } = await scene.begin();
    const answer = await callback(scene.idp.authorize(location, ALICE), pending);
    expect(attributesOf(setCookiesOf(answer))).toEqual({
      'console-sign-in': ['HttpOnly', 'Path=/', 'SameSite=Lax'],
      console: ['HttpOnly', 'Path=/', 'SameSite=Strict'],
    });
  });
});

it('keeps the sessions of two users who are signed in at the same time apart', async () => {
  const [alice, carol] = [await scene.signIn(ALICE), await scene.signIn(CAROL)];
  const tokenOf = async (cookie: string) => {
    await scene.get('/bff/api/organization', cookie).expect(200);
    return scene.api.requests.at(-1)?.headers.authorization;
  };
  const [first, second, again] = [await tokenOf(alice), await tokenOf(carol), await tokenOf(alice)];
  expect(first).not.toBe(second);
  expect(again).toBe(first);
});

it('sends no token to the browser, and writes no token to the log', async () => {
  const { answer: begun, location, pending } = await scene.begin();
  const signedIn = await callback(scene.idp.authorize(location, ALICE), pending);
  const cookie = cookiesOf(signedIn);
  const answers = [
    begun,
    signedIn,
    await scene.get('/bff/session', cookie),
    await scene.get('/bff/sessions', cookie),
  ];
  scene.idp.forget(scene.idp.state.secrets.findLast((secret) => secret.startsWith('refresh-')) ?? '');
  answers.push(await scene.post('/bff/session/refresh', cookie));
  const seen = JSON.stringify([answers.map(({ headers, text }) => [headers, text]), scene.log]);
  const issued = scene.idp.state.secrets.filter((secret) => !secret.startsWith('code-'));
  expect(issued.length).toBeGreaterThan(5);
  for (const secret of [...issued, 'the-secret', 'a secret of theirs']) expect(seen).not.toContain(secret);
});
