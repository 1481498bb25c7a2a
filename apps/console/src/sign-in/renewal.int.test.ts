import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@legate/testing';
import request from 'supertest';
import { sendJson } from '../testing/peers.ts';
import { ALICE, type Scene, startScene } from '../testing/scene.ts';

const HOUR_MS = 3_600_000;
let scene: Scene;
beforeAll(async () => {
  // An idle timeout shorter than the lifetime of tokens would end the session first.
  scene = await startScene({ sessionIdleSeconds: 30_000 });
});
afterAll(() => scene.stop());
beforeEach(() => {
  const { state } = scene.idp;
  state.refreshes.length = 0;
  state.revoked.length = 0;
  state.refreshStatus = undefined;
  state.renewedClaims = {};
  state.beforeRefresh = async () => {};
});

const sentTokens = () => scene.api.requests.map(({ headers }) => headers.authorization);

it('renews tokens that expire within two minutes, and no others', async () => {
  const cookie = await scene.signIn();
  scene.time.offsetMs += HOUR_MS - 125_000;
  await scene.get('/bff/session', cookie).expect(200);
  expect(scene.idp.state.refreshes).toEqual([]);
  const before = sentTokens().at(-1);
  scene.time.offsetMs += 10_000;
  await scene.get('/bff/session', cookie).expect(200);
  expect(scene.idp.state.refreshes).toHaveLength(1);
  expect(sentTokens().at(-1)).not.toBe(before);
});

it('sends a refresh token once, even if many requests in two processes need it', async () => {
  const cookie = await scene.signIn();
  scene.time.offsetMs += HOUR_MS;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  scene.idp.state.beforeRefresh = () => held;
  const apps = [scene.app, scene.startApp(), scene.app, scene.startApp()];
  const answers = apps.map((app) =>
    scene.fromPage(request(app).get('/bff/session'), cookie).then((answer) => answer),
  );
  await eventually('a refresh', () => scene.idp.state.refreshes.length);
  release();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(scene.idp.state.refreshes).toHaveLength(1);
  expect(new Set(sentTokens().slice(-4)).size).toBe(1);
});

it('renews once when a service refuses the token, and then repeats the request once', async () => {
  const cookie = await scene.signIn();
  const usual = scene.answers.api;
  let refusals = 1;
  scene.answers.api = (seen, res) => {
    if (refusals === 0) return usual(seen, res);
    refusals -= 1;
    res.writeHead(401).end();
  };
  await scene.post('/bff/api/sites', cookie).send({ name: 'Shop' }).expect(200);
  expect(scene.idp.state.refreshes).toHaveLength(1);
  expect(scene.api.requests.slice(-2).map(({ body }) => body)).toEqual([
    '{"name":"Shop"}',
    '{"name":"Shop"}',
  ]);

  refusals = 2;
  await scene.get('/bff/api/sites', cookie).expect(401);
  expect(scene.idp.state.refreshes).toHaveLength(2);
  scene.answers.api = usual;
});

it('renews nothing when the hub could not delegate with a token that it has accepted', async () => {
  const cookie = await scene.signIn();
  const usual = scene.answers.hub;
  const problem = { status: 401, code: 'sign_in_required', detail: 'A session is needed.' };
  scene.answers.hub = (_seen, res) =>
    sendJson(res, 401, problem, { 'Content-Type': 'application/problem+json', 'Legate-Call-Id': 'evt_1' });
  const { body, headers } = await scene.get('/bff/hub/connectors/con_notes/tools', cookie).expect(401);
  expect([body, headers['legate-call-id']]).toEqual([problem, 'evt_1']);
  expect(scene.idp.state.refreshes).toEqual([]);
  await scene.get('/bff/sessions', cookie).expect(200);
  scene.answers.hub = usual;
});

it('ends the session when the refresh is refused', async () => {
  const cookie = await scene.signIn();
  scene.idp.forget(scene.idp.state.secrets.findLast((secret) => secret.startsWith('refresh-')) ?? '');
  const refused = await scene.post('/bff/session/refresh', cookie).expect(401);
  expect(refused.body).toMatchObject({ code: 'signed_out' });
  await scene.get('/bff/sessions', cookie).expect(401);
});

it.each([
  ['person', { sub: 'user_mallory' }],
  ['organization', { organization_id: 'org_globex' }],
])('ends the session when a refresh names another %s, and revokes the new tokens', async (_case, claims) => {
  const cookie = await scene.signIn();
  // openid-client compares `sub` itself only if it gets an earlier token.
  scene.idp.state.renewedClaims = claims;
  await scene.post('/bff/session/refresh', cookie).expect(401);
  expect(scene.idp.state.revoked).toHaveLength(1);
  await scene.get('/bff/sessions', cookie).expect(401);
});

it('ends the session when a refresh names several organizations', async () => {
  const cookie = await scene.signIn();
  scene.idp.state.renewedClaims = { organization_id: ['org_acme', 'org_globex'] };
  await scene.post('/bff/session/refresh', cookie).expect(401);
  await scene.get('/bff/sessions', cookie).expect(401);
});

it('uses valid tokens while the identity provider is down, and reports the outage once they have expired', async () => {
  const cookie = await scene.signIn();
  scene.idp.state.refreshStatus = 503;
  scene.time.offsetMs += HOUR_MS - 60_000;
  await scene.get('/bff/session', cookie).expect(200);
  scene.time.offsetMs += 61_000;
  const answer = await scene.get('/bff/session', cookie).expect(503);
  expect(answer.body.code).toBe('identity_provider_unavailable');
});

it('ends an unused session after the idle timeout, and every session at its maximum age', async () => {
  const brief = await startScene({ sessionIdleSeconds: 600, sessionLifetimeSeconds: 1500 });
  const idle = await brief.signIn();
  const used = await brief.signIn({ ...ALICE, sid: 'another' });
  for (const minutes of [8, 8, 7]) {
    brief.time.offsetMs += minutes * 60_000;
    await brief.get('/bff/session', used).expect(200);
  }
  await brief.get('/bff/session', idle).expect(204);
  brief.time.offsetMs += 3 * 60_000;
  await brief.get('/bff/session', used).expect(204);
  await brief.stop();
});
