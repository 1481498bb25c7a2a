import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSigningKeys, epochSeconds } from '@legate/jwt';
import type { Express } from 'express';
import request from 'supertest';
import { createConnectorRegistry } from '../../domain/registry.ts';
import { callWhoami } from '../../testing/call-whoami.ts';
import { createScene, type Scene } from '../../testing/scene.ts';

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

let scene: Scene;
let otherHub: Express;
let storeIsDown: boolean;
let jti = 0;

beforeEach(async () => {
  storeIsDown = false;
  scene = await createScene({
    backend: (memory) => ({
      ...memory,
      set: (...entry) => (storeIsDown ? Promise.reject(new Error('down')) : memory.set(...entry)),
    }),
  });
  otherHub = scene.replica({});
});
afterEach(() => scene.stop());

function logoutToken(claims: Record<string, unknown>, typ = 'logout+jwt'): Promise<string> {
  const now = epochSeconds(scene.clock());
  jti += 1;
  const own = { exp: now + 120, jti: `logout_${jti}`, events: EVENTS };
  return scene.idp.mintIdToken({ ...own, ...claims }, { typ });
}

const logOut = (token: string, app = scene.app) =>
  request(app).post('/oauth/backchannel-logout').type('form').send({ logout_token: token });

async function openSession(claims: Record<string, unknown>): Promise<string> {
  const { idToken, refreshToken } = await scene.idp.signIn(claims);
  const opened = await request(scene.app)
    .post('/api/v1/sessions')
    .set('Authorization', `Bearer ${idToken}`)
    .send({ refresh_token: refreshToken })
    .expect(201);
  return opened.body.session;
}

const call = (token: string, app = scene.app) => callWhoami(app, token);

const ENDED = '401 session_ended';
const SIGNED_OUT = '401 signed_out';

describe('a logout token', () => {
  it('for a sign-in ends its sessions in all hubs, and keeps other sign-ins of the user', async () => {
    const [one, other] = [
      await openSession({ sub: 'user_alice', sid: 's1' }),
      await openSession({ sub: 'user_alice', sid: 's2' }),
    ];
    const answer = await logOut(await logoutToken({ sub: 'user_alice', sid: 's1' })).expect(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await Promise.all([call(one), call(one, otherHub), call(other)])).toEqual([ENDED, ENDED, 200]);
  });

  it('for a user ends all of that user’s sessions, in every organization, and no other user’s', async () => {
    const alices = [
      await openSession({ sub: 'user_alice', sid: 's1' }),
      await openSession({ sub: 'user_alice', organization_id: 'org_globex' }),
    ];
    const bobs = await openSession({ sub: 'user_bob' });
    await logOut(await logoutToken({ sub: 'user_alice', aud: 'tool-hub' })).expect(200);
    expect(await Promise.all(alices.map((each) => call(each, otherHub)))).toEqual([ENDED, ENDED]);
    expect(await call(bobs)).toBe(200);
  });

  it.each([
    ['a user', { sub: 'user_alice' }],
    ['a sign-in and its user', { sub: 'user_alice', sid: 's1' }],
    ['a sign-in alone', { sid: 's1' }],
  ])('for %s drops the tokens that the hub has for the user', async (_case, claims) => {
    const idToken = await scene.idTokenOf('user_alice', { sid: 's1' });
    const session = await openSession({ sub: 'user_alice', sid: 's1' });
    expect(await call(session)).toBe(200);
    expect(await call(idToken, otherHub)).toBe(200);
    expect(scene.idp.exchanges).toHaveLength(1);
    scene.clock.advanceSeconds(1);
    await logOut(await logoutToken(claims)).expect(200);
    expect(await call(session)).toBe(ENDED);
    expect(await call(idToken, otherHub)).toBe(SIGNED_OUT);
    // The identity provider must be asked again.
    expect(await call(await scene.idTokenOf('user_alice', { sid: 's2' }), otherHub)).toBe(200);
    expect(scene.idp.exchanges).toHaveLength(2);
  });

  it('that names only a sign-in drops the tokens of its user, even after a shorter session of the sign-in has ended', async () => {
    const session = await openSession({ sub: 'user_alice', sid: 's1' });
    const brief = await scene.idTokenOf('user_alice', { sid: 's1', exp: epochSeconds(scene.clock()) + 60 });
    await request(scene.app).post('/api/v1/sessions').set('Authorization', `Bearer ${brief}`).expect(201);
    scene.clock.advanceSeconds(120);
    expect(await call(session)).toBe(200);
    await logOut(await logoutToken({ sid: 's1' })).expect(200);
    await call(await scene.idTokenOf('user_alice'), otherHub);
    expect(scene.idp.exchanges).toHaveLength(2);
  });

  it('that names only a sign-in ends its sessions, even if the owner is encrypted with a missing key', async () => {
    const session = await openSession({ sub: 'user_alice', sid: 's1' });
    for (const [key, entry] of scene.entries)
      if (key.startsWith('session-user:')) scene.entries.set(key, { ...entry, value: Buffer.alloc(64) });
    await logOut(await logoutToken({ sid: 's1' })).expect(200);
    expect(await call(session)).toBe(ENDED);
  });

  it('that names only a sign-in drops the tokens of a user who has no session', async () => {
    const idToken = await scene.idTokenOf('user_alice', { sid: 's1' });
    expect(await call(idToken)).toBe(200);
    await logOut(await logoutToken({ sid: 's1' }), otherHub).expect(200);
    expect(await call(idToken)).toBe(SIGNED_OUT);
    expect(await call(await scene.idTokenOf('user_alice', { sid: 's2' }))).toBe(200);
    expect(scene.idp.exchanges).toHaveLength(2);
  });

  it.each(['sub', 'sid'])('by %s ends an ID token wherever it is presented', async (by) => {
    const idToken = await scene.idTokenOf('user_alice', { sid: 's1' });
    const bobs = await scene.idTokenOf('user_bob', { sid: 's2' });
    scene.clock.advanceSeconds(1);
    await logOut(await logoutToken(by === 'sub' ? { sub: 'user_alice' } : { sid: 's1' })).expect(200);
    const answers = async (token: string) => {
      const as = { Authorization: `Bearer ${token}` };
      const api = (method: 'get' | 'post', path: string) =>
        request(otherHub)[method](`/api/v1${path}`).set(as);
      return [
        (await api('post', '/connectors/con_tools/tools/whoami/call').send({})).status,
        (await api('get', '/connectors/con_tools/tools')).status,
        (await api('get', '/connectors')).status,
        (await api('post', '/sessions')).status,
        (await api('get', '/calls/evt_01M7ZYFAVRGAQDBF9K5Q6Y4WX7/explanation')).status,
      ];
    };
    expect(await answers(idToken)).toEqual([401, 401, 401, 401, 401]);
    expect(await answers(bobs)).toEqual([200, 200, 200, 201, 404]);
  });

  it('ends an ID token even if the connector uses its own key', async () => {
    const key = { kind: 'api_key', header: 'x-api-key', value: 'sk-0123456789' } as const;
    const connector = { ...scene.connector, methods: [{ method: 'service', key }] } as const;
    const hub = scene.replica({ registry: createConnectorRegistry([connector]) });
    const idToken = await scene.idTokenOf('user_alice', { sid: 's1' });
    expect(await call(idToken, hub)).toBe('502 connector_misconfigured'); // the tool server does not accept the key
    await logOut(await logoutToken({ sid: 's1' })).expect(200);
    expect(await call(idToken, hub)).toBe(SIGNED_OUT);
  });

  it('prevents sessions with earlier ID tokens, but not with later ones', async () => {
    const before = await scene.idTokenOf('user_alice');
    const ofSignIn = await scene.idTokenOf('user_bob', { sid: 's1' });
    scene.clock.advanceSeconds(10);
    await logOut(await logoutToken({ sub: 'user_alice' })).expect(200);
    await logOut(await logoutToken({ sid: 's1' })).expect(200);
    scene.clock.advanceSeconds(1);
    const open = async (token: string) =>
      (await request(otherHub).post('/api/v1/sessions').set('Authorization', `Bearer ${token}`)).status;
    expect([
      await open(before),
      await open(ofSignIn),
      await open(await scene.idTokenOf('user_alice')),
      await open(await scene.idTokenOf('user_bob', { sid: 's1' })),
      await open(await scene.idTokenOf('user_bob', { sid: 's2' })),
    ]).toEqual([401, 401, 201, 401, 201]);
  });

  it.each<[string, Record<string, unknown>, string?]>([
    ['about nobody', { sub: undefined }],
    ['with a nonce', { nonce: 'n' }],
    ['without events', { events: undefined }],
    ['with another event', { events: { 'https://other.example': {} } }],
    ['without jti', { jti: undefined }],
    ['without iat', { iat: undefined }],
    ['without exp', { exp: undefined }],
    ['that is over', { iat: 1, exp: 2 }],
    ['of tomorrow', { iat: 1_900_000_000, exp: 1_900_000_100 }],
    ['that lives for a day', { exp: 1_785_585_600 + 86_400 }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'other-app' }],
    ['that is an access token', {}, 'at+jwt'],
    ['that is an ID token', { events: undefined, jti: undefined }, 'JWT'],
  ])('%s is refused, and ends nothing', async (_case, claims, typ = 'logout+jwt') => {
    const session = await openSession({ sub: 'user_alice' });
    const answer = await logOut(await logoutToken({ sub: 'user_alice', ...claims }, typ));
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await call(session)).toBe(200);
  });

  it('with a foreign signature or none is refused', async () => {
    const session = await openSession({ sub: 'user_alice' });
    const others = await createSigningKeys({ alg: 'RS256', clock: scene.clock });
    const [header = '', payload = ''] = (await logoutToken({ sub: 'user_alice' })).split('.');
    const signature = (await others.sign({}, { typ: 'logout+jwt' })).split('.')[2];
    const unsigned = Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString('base64url');
    for (const forged of [`${header}.${payload}.${signature}`, `${unsigned}.${payload}.`, 'garbage'])
      expect((await logOut(forged)).status).toBe(400);
    expect(await call(session)).toBe(200);
  });

  it('is accepted only once by all hubs: an intercepted one cannot sign its user out again', async () => {
    const token = await logoutToken({ sub: 'user_alice' });
    await logOut(token).expect(200);
    scene.clock.advanceSeconds(1);
    const session = await openSession({ sub: 'user_alice' });
    const again = await logOut(token, otherHub);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_request']);
    expect(await call(session)).toBe(200);
  });

  it('is accepted again after a 503 for an outage of the store', async () => {
    const session = await openSession({ sub: 'user_alice' });
    const token = await logoutToken({ sub: 'user_alice' });
    storeIsDown = true;
    const refused = await logOut(token);
    expect([refused.status, refused.body.error]).toEqual([503, 'temporarily_unavailable']);
    storeIsDown = false;
    expect(await call(session)).toBe(200);
    await logOut(token).expect(200);
    expect(await call(session)).toBe(ENDED);
  });

  it.each([
    ['GET', 405],
    ['PUT', 405],
  ])('requires POST: %s is %i', async (method, status) => {
    const answer = await request(scene.app)[method === 'GET' ? 'get' : 'put']('/oauth/backchannel-logout');
    expect([answer.status, answer.headers.allow]).toEqual([status, 'POST']);
  });

  it('requires one form parameter', async () => {
    const token = await logoutToken({ sub: 'user_alice' });
    const send = (body: string, type = 'application/x-www-form-urlencoded') =>
      request(scene.app).post('/oauth/backchannel-logout').set('Content-Type', type).send(body);
    expect((await send('')).status).toBe(400);
    expect((await send(`logout_token=${token}&logout_token=${token}`)).status).toBe(400);
    expect((await send(JSON.stringify({ logout_token: token }), 'application/json')).status).toBe(415);
    expect((await send(`logout_token=${token}`)).status).toBe(200);
  });
});
