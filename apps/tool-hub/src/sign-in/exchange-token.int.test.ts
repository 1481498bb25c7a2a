import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sendJson } from '../testing/http-server.ts';
import { createScene, ID_JAG, type Scene } from '../testing/scene.ts';

const TYPE = 'urn:ietf:params:oauth:token-type:';
const FALLBACK = {
  method: 'service',
  key: { kind: 'api_key', header: 'authorization', value: 'the-key-of-the-connector' },
} as const;

let scene: Scene;
afterEach(() => scene.stop());

const begin = async (subjectTokenType: 'access_token' | 'refresh_token', fallback = false) => {
  scene = await createScene({
    app: { subjectTokenType },
    ...(fallback && { connector: { methods: [ID_JAG, FALLBACK] } }),
  });
};

/** @returns the handle of a session of the hub's own client, or of another one */
async function openSession(clientId = 'tool-hub'): Promise<string> {
  const options = { clientId, idTokenSeconds: 3600 };
  const { idToken, refreshToken } = await scene.idp.signIn({ sub: 'user_alice', aud: clientId }, options);
  const opened = await request(scene.app)
    .post('/api/v1/sessions')
    .set('Authorization', `Bearer ${idToken}`)
    .send({ refresh_token: refreshToken });
  expect(opened.status).toBe(201);
  return opened.body.session;
}

const call = (token: string, connector = 'con_tools') =>
  request(scene.app)
    .post(`/api/v1/connectors/${connector}/tools/whoami/call`)
    .set('Authorization', `Bearer ${token}`)
    .send({});
const codeOf = ({ status, body }: request.Response) => (status === 200 ? 200 : `${status} ${body.code}`);
const exchanged = () =>
  scene.idp.exchanges.map((form) => [
    form.get('subject_token_type'),
    form.get('subject_token')?.split('-')[0],
  ]);
/** Drops the cached tokens, so that the next call exchanges again. */
const forget = async () => {
  for (const [key] of scene.entries) if (key.startsWith('token:')) await scene.backend.delete(key);
};

describe('if the identity provider exchanges access tokens, the hub', () => {
  beforeEach(() => begin('access_token'));

  it('exchanges the access token of the session, which it gets by one refresh', async () => {
    const session = await openSession();
    const answers = await Promise.all([call(session), call(session), call(session)]);
    expect(answers.map(codeOf)).toEqual([200, 200, 200]);
    expect(exchanged()).toEqual([[`${TYPE}access_token`, 'access']]);
    expect(scene.idp.refreshes).toHaveLength(1);
    expect(scene.idp.reused).toEqual([]);
  });

  it('renews it in its last minute, and sends no expired one', async () => {
    const session = await openSession();
    await call(session);
    await forget();
    scene.clock.advanceSeconds(239);
    await call(session);
    expect(scene.idp.refreshes).toHaveLength(1);
    await forget();
    scene.clock.advanceSeconds(2);
    expect(codeOf(await call(session))).toBe(200);
    expect(scene.idp.refreshes).toHaveLength(2);
    const [first, second, third] = scene.idp.exchanges.map((form) => form.get('subject_token'));
    expect([first === second, second === third]).toEqual([true, false]);
  });

  it('stores it encrypted, and sends it to nobody else', async () => {
    await call(await openSession());
    const token = scene.idp.exchanges[0]?.get('subject_token') ?? '';
    expect(JSON.stringify([...scene.entries])).not.toContain(token);
    expect(scene.logged()).not.toContain(token);
    expect(JSON.stringify(scene.toolServer.redemptions.map(({ form }) => [...form]))).not.toContain(token);
  });

  it('returns 503 while it cannot be renewed', async () => {
    const session = await openSession();
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 503, {}) };
    expect(codeOf(await call(session))).toBe('503 idp_unavailable');
    expect(scene.idp.exchanges).toEqual([]);
  });

  it('does not exchange an ID token, and explains what the application can do', async () => {
    const { status, body, headers } = await call(await scene.idTokenOf('user_alice'));
    expect([status, body.code, body.detail]).toEqual([
      401,
      'sign_in_required',
      expect.stringContaining('open a session with their refresh token'),
    ]);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    expect(scene.idp.exchanges).toEqual([]);
  });

  it('keeps a session without a refresh token, whose other connectors work', async () => {
    const idToken = await scene.idTokenOf('user_alice');
    const opened = await request(scene.app)
      .post('/api/v1/sessions')
      .set('Authorization', `Bearer ${idToken}`)
      .send({});
    expect(codeOf(await call(opened.body.session))).toBe('401 sign_in_required');
    const list = await request(scene.app)
      .get('/api/v1/connectors')
      .set('Authorization', `Bearer ${opened.body.session}`);
    expect(list.status).toBe(200);
  });

  it('does not drop cached tokens of the user if a caller has no access token', async () => {
    const session = await openSession();
    await call(session);
    await call(await scene.idTokenOf('user_alice'), 'con_tools');
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 503, {}) };
    expect(codeOf(await call(session))).toBe(200);
  });
});

it('uses no fallback for a user whose token the identity provider does not exchange', async () => {
  await begin('access_token', true);
  scene.toolServer.misbehaviour = { resourceMetadata: 404 };
  expect(codeOf(await call(await scene.idTokenOf('user_alice')))).toBe('401 sign_in_required');
});

describe('if the identity provider exchanges refresh tokens, the hub', () => {
  beforeEach(() => begin('refresh_token'));

  it('exchanges the refresh token of the session', async () => {
    scene.idp.misbehaviour = { rotates: false };
    const session = await openSession();
    expect(codeOf(await call(session))).toBe(200);
    await forget();
    scene.clock.advanceSeconds(3400);
    expect(codeOf(await call(session))).toBe(200);
    expect(exchanged()).toEqual(Array(2).fill([`${TYPE}refresh_token`, 'refresh']));
    expect([scene.idp.refreshes.length, scene.idp.reused]).toEqual([1, []]);
  });

  it('stops once the provider has rotated it, because an old token could look stolen', async () => {
    const session = await openSession();
    scene.clock.advanceSeconds(3400);
    const answer = await call(session);
    expect([codeOf(answer), answer.body.detail]).toEqual([
      '502 connector_misconfigured',
      expect.stringContaining('rotates refresh tokens'),
    ]);
    expect([scene.idp.exchanges, scene.idp.reused]).toEqual([[], []]);
  });

  it("does not present another client's", async () => {
    expect(codeOf(await call(await openSession('frontend-app')))).toBe('502 connector_misconfigured');
    expect(scene.idp.exchanges).toEqual([]);
  });
});
