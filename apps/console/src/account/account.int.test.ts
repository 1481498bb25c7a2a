import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ALICE, CAROL, type Scene, startScene } from '../testing/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

it('reports who is signed in, with which rights, and until when', async () => {
  const cookie = await scene.signIn();
  const { body, headers } = await scene.get('/bff/session', cookie).expect(200);
  expect(body).toEqual({
    user: { type: 'user', id: 'user_alice', email: 'alice@acme.example', name: 'Alice' },
    organization: { id: 'org_acme', name: 'Acme' },
    role: 'owner',
    scopes: ['org:read'],
    expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(headers['cache-control']).toBe('no-store');
  await scene.get('/bff/session').expect(204);
});

it('lists only the sessions of this person, by an id that is no credential, and ends one of them', async () => {
  const here = await scene.signIn({ ...ALICE, sub: 'user_bob', sid: 'here' });
  const elsewhere = await scene.signIn({ ...ALICE, sub: 'user_bob', sid: 'elsewhere' });
  const carol = await scene.signIn(CAROL);
  const { body } = await scene.get('/bff/sessions', here).expect(200);
  expect(body.data.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
  const other = body.data.find(({ current }: { current: boolean }) => !current);
  await scene.get('/bff/session', `console=${other.id}`).expect(204);
  await scene.fromPage(request(scene.app).delete(`/bff/sessions/${other.id}`), carol).expect(404);
  await scene.fromPage(request(scene.app).delete(`/bff/sessions/${other.id}`), here).expect(204);
  await scene.get('/bff/sessions', elsewhere).expect(401);
  await scene.get('/bff/sessions', here).expect(200);
});

describe('sign-out', () => {
  it('ends the session, revokes its refresh token, and redirects to the identity provider without a token', async () => {
    const cookie = await scene.signIn();
    const { body, headers } = await scene.post('/bff/sign-out', cookie).expect(200);
    const url = new URL(body.continue_to);
    expect(`${url.origin}${url.pathname}`).toBe(`${scene.idp.url}/logout`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'legate-console',
      post_logout_redirect_uri: `${scene.publicUrl}/signed-out`,
    });
    expect(String(headers['set-cookie'])).toMatch(/^console=;/);
    expect(scene.idp.state.revoked.at(-1)).toMatch(/^refresh-/);
    await scene.get('/bff/sessions', cookie).expect(401);
  });

  it('everywhere asks the hub first, and ends all sessions of this person and none of other people', async () => {
    const [one, two] = [await scene.signIn(), await scene.signIn({ ...ALICE, sid: 'two' })];
    const carol = await scene.signIn(CAROL);
    const { body } = await scene.post('/bff/sign-out', one).send({ everywhere: true }).expect(200);
    expect(body.hub).toBe('ended');
    expect(scene.hub.requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/v1/tokens' });
    await scene.get('/bff/sessions', two).expect(401);
    await scene.get('/bff/sessions', carol).expect(200);
  });

  it('does not report success everywhere if the hub fails', async () => {
    scene.answers.hub = (_request, res) => void res.writeHead(503).end();
    const cookie = await scene.signIn();
    const { body } = await scene.post('/bff/sign-out', cookie).send({ everywhere: true }).expect(200);
    expect(body.hub).toBe('unreachable');
  });

  it('refuses a malformed body', async () => {
    const cookie = await scene.signIn();
    await scene.post('/bff/sign-out', cookie).send({ everywhere: 'yes' }).expect(400);
    await scene.post('/bff/sign-out', cookie).type('json').send('{').expect(400);
    await scene.get('/bff/sessions', cookie).expect(200);
  });
});

describe('back-channel logout', () => {
  const signOut = (token: string) =>
    request(scene.app).post('/bff/backchannel-logout').type('form').send({ logout_token: token });

  it('ends one session by the sid of its sign-in, and all sessions of a person by their sub', async () => {
    const person = { ...ALICE, sub: 'user_erin' };
    const [one, two] = [
      await scene.signIn({ ...person, sid: 'erin-1' }),
      await scene.signIn({ ...person, sid: 'erin-2' }),
    ];
    await signOut(await scene.idp.logoutToken({ sub: 'user_erin', sid: 'erin-1' })).expect(200);
    await scene.get('/bff/sessions', one).expect(401);
    await scene.get('/bff/sessions', two).expect(200);
    await signOut(await scene.idp.logoutToken({ sub: 'user_erin' })).expect(200);
    await scene.get('/bff/sessions', two).expect(401);
  });

  it('refuses a logout token that was already used, and ends no session', async () => {
    const person = { ...ALICE, sub: 'user_frank' };
    const before = await scene.signIn(person);
    const token = await scene.idp.logoutToken({ sub: 'user_frank' });
    await signOut(token).expect(200);
    await scene.get('/bff/sessions', before).expect(401);
    const afterwards = await scene.signIn(person);
    await signOut(token).expect(400);
    await scene.get('/bff/sessions', afterwards).expect(200);
  });

  it('accepts logout tokens only from the identity provider', async () => {
    const cookie = await scene.signIn();
    await signOut(await scene.idp.logoutToken({ sub: ALICE.sub, aud: 'another-client' })).expect(400);
    const unsigned = (await scene.idp.logoutToken({ sub: ALICE.sub })).replace(/\.[^.]+$/, '.AAAA');
    await signOut(unsigned).expect(400);
    await request(scene.app).post('/bff/backchannel-logout').type('form').send({}).expect(400);
    await request(scene.app).get('/bff/backchannel-logout').expect(405);
    await scene.get('/bff/sessions', cookie).expect(200);
  });
});

it('reports which service is down, and checks again after ten seconds at the earliest', async () => {
  const { body } = await scene.get('/bff/health').expect(200);
  expect(body).toEqual({ management_api: 'ok', tool_hub: 'unavailable', identity_provider: 'ok' });
  const count = scene.hub.requests.length;
  await scene.get('/bff/health').expect(200);
  expect(scene.hub.requests.length).toBe(count);
  scene.time.offsetMs += 10_001;
  await scene.get('/bff/health').expect(200);
  expect(scene.hub.requests.length).toBe(count + 1);
});
