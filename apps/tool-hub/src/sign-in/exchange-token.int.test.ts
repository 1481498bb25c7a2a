import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ExchangeProfile } from '@legate/delegation';
import { SUBJECT_TOKEN_TYPES, type SubjectTokenType } from '@legate/identity-providers';
import request from 'supertest';
import type { Connector } from '../domain/connector.ts';
import { sendJson } from '../testing/http-server.ts';
import { createScene, ID_JAG, type Scene } from '../testing/scene.ts';
import { exchangeProfileOf } from './identity-provider.ts';

const TYPE = 'urn:ietf:params:oauth:token-type:';
const FALLBACK = {
  method: 'service',
  key: { kind: 'api_key', header: 'authorization', value: 'the-key-of-the-connector' },
} as const;

let scene: Scene;
afterEach(() => scene.stop());

/** Starts a hub, and an identity provider that exchanges only that type of token. */
const begin = async (
  subjectTokenType: SubjectTokenType,
  connector: Partial<Connector> = {},
  exchange?: ExchangeProfile,
) => {
  scene = await createScene({ app: { subjectTokenType, ...(exchange && { exchange }) }, connector });
  scene.idp.misbehaviour = { exchanges: subjectTokenType };
};

const signIn = (clientId = 'tool-hub') =>
  scene.idp.signIn({ sub: 'user_alice', aud: clientId }, { clientId, idTokenSeconds: 3600 });

const open = (idToken: string, body: Record<string, unknown>) =>
  request(scene.app).post('/api/v1/sessions').set('Authorization', `Bearer ${idToken}`).send(body);

/** @returns the handle of a session of the hub's own client, or of another one */
async function openSession(clientId = 'tool-hub'): Promise<string> {
  const { idToken, refreshToken } = await signIn(clientId);
  const opened = await open(idToken, { refresh_token: refreshToken });
  expect(opened.status).toBe(201);
  return opened.body.session;
}

const call = (token: string, connector = 'con_tools') =>
  request(scene.app)
    .post(`/api/v1/connectors/${connector}/tools/whoami/call`)
    .set('Authorization', `Bearer ${token}`)
    .send({});
const connectorsOf = (token: string) =>
  request(scene.app).get('/api/v1/connectors').set('Authorization', `Bearer ${token}`);
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

it.each(SUBJECT_TOKEN_TYPES)('serves a provider that exchanges only the %s of a sign-in', async (type) => {
  await begin(type);
  scene.idp.misbehaviour.rotates = false;
  const { idToken, refreshToken, accessToken } = await signIn();
  const opened = await open(idToken, { refresh_token: refreshToken, access_token: accessToken });
  expect(codeOf(await call(opened.body.session))).toBe(200);
  const token = { id_token: idToken, access_token: accessToken, refresh_token: refreshToken }[type];
  expect(scene.idp.exchanges.map((form) => form.get('subject_token'))).toEqual([token]);
  // A renewal shows whose refresh token it is.
  expect(scene.idp.refreshes).toHaveLength(type === 'refresh_token' ? 1 : 0);
});

it('ignores a refresh token beside an ID-JAG that was exchanged for another token', async () => {
  await begin('id_token');
  scene.idp.misbehaviour = { response: { refresh_token: 'not-of-this-sign-in' } };
  const session = await openSession();
  expect(codeOf(await call(session))).toBe(200);
  scene.clock.advanceSeconds(3400);
  await call(session);
  expect(scene.idp.refreshes.map((form) => form.get('refresh_token')?.split('-')[0])).toEqual(['refresh']);
});

it('names its own setting if sessions keep no access tokens for token-exchange', async () => {
  const settings = { audience: 'api://tools', tokenAudience: 'api://tools' };
  const place = { issuer: 'https://idp.example', clientIds: ['tool-hub'], services: [] };
  await begin(
    'id_token',
    { methods: [{ method: 'token-exchange', ...settings, issuer: undefined }] },
    exchangeProfileOf({ kind: 'generic', ...place }),
  );
  scene.toolServer.misbehaviour = { resourceMetadata: { authorization_servers: [scene.idp.issuer] } };
  const session = await openSession();
  const { status, body, headers } = await call(session);
  expect([status, body.code, body.detail]).toEqual([
    502,
    'connector_misconfigured',
    expect.stringContaining('An operator must unset IDP_SUBJECT_TOKEN_TYPE'),
  ]);
  const { body: explanation } = await request(scene.app)
    .get(`/api/v1/calls/${headers['legate-call-id']}/explanation`)
    .set('Authorization', `Bearer ${session}`);
  expect([explanation.leg, explanation.rule]).toEqual(['hub', 'subject_token_type']);
  expect(explanation.remedy).toContain('An operator must unset IDP_SUBJECT_TOKEN_TYPE');
});

describe('if the identity provider exchanges access tokens, the hub', () => {
  beforeEach(() => begin('access_token'));

  it('gets the access token of a session that has none by one refresh', async () => {
    const session = await openSession();
    const answers = await Promise.all([call(session), call(session), call(session)]);
    expect(answers.map(codeOf)).toEqual([200, 200, 200]);
    expect(exchanged()).toEqual([[`${TYPE}access_token`, 'access']]);
    expect(scene.idp.refreshes).toHaveLength(1);
    expect(scene.idp.reused).toEqual([]);
  });

  it('takes it from every renewal of the ID token, without a further request', async () => {
    const { idToken, refreshToken, accessToken } = await scene.idp.signIn(
      { sub: 'user_alice', aud: 'tool-hub' },
      { clientId: 'tool-hub', idTokenSeconds: 200 },
    );
    const opened = await open(idToken, { refresh_token: refreshToken, access_token: accessToken });
    for (let renewals = 0; renewals < 3; renewals += 1) {
      await forget();
      expect(codeOf(await call(opened.body.session))).toBe(200);
      scene.clock.advanceSeconds(170);
    }
    expect([scene.idp.exchanges.length, scene.idp.refreshes.length]).toEqual([3, 2]);
    expect(new Set(scene.idp.exchanges.map((form) => form.get('subject_token'))).size).toBe(3);
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

  it('renews it until the ID token ends, if the provider renews no ID tokens', async () => {
    scene.idp.misbehaviour.renewsIdTokens = false;
    const session = await openSession();
    for (let seconds = 0; seconds < 3600; seconds += 200) {
      await forget();
      expect([seconds, codeOf(await call(session))]).toEqual([seconds, 200]);
      scene.clock.advanceSeconds(200);
    }
    // Each token lasts for two calls; nothing else is asked for.
    expect([scene.idp.refreshes.length, scene.idp.reused]).toEqual([9, []]);
    expect(codeOf(await call(session))).toBe('401 session_ended');
    expect(scene.idp.refreshes).toHaveLength(9);
  });

  it('uses it until it ends, if it cannot be renewed', async () => {
    const session = await openSession();
    await call(session);
    scene.idp.misbehaviour = { rotates: false, refreshed: (_req, res) => sendJson(res, 503, {}) };
    scene.clock.advanceSeconds(280);
    await forget();
    expect(codeOf(await call(session))).toBe(200);
    scene.clock.advanceSeconds(11);
    await forget();
    expect(codeOf(await call(session))).toBe('503 idp_unavailable');
    expect(scene.idp.exchanges).toHaveLength(2);
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
      expect.stringContaining(
        "open a session with `access_token`, or with a refresh token of the hub's client",
      ),
    ]);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    expect(scene.idp.exchanges).toEqual([]);
  });

  it('says whose refresh tokens it can redeem, after the provider has refused one', async () => {
    const session = await openSession('frontend-app');
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 401, { error: 'unauthorized_client' }) };
    const { status, body } = await call(session);
    expect([status, body.code, body.detail]).toEqual([
      401,
      'sign_in_required',
      expect.stringContaining("a refresh token of the hub's client or of a public client"),
    ]);
    expect(scene.logged()).toContain('unauthorized_client');
  });

  it('keeps a session without an access token, whose other connectors work', async () => {
    const opened = await open(await scene.idTokenOf('user_alice'), {});
    expect(codeOf(await call(opened.body.session))).toBe('401 sign_in_required');
    expect((await connectorsOf(opened.body.session)).status).toBe(200);
  });

  it('assumes a short life of a token that it cannot read, in a session that it cannot renew', async () => {
    const { idToken, accessToken } = await signIn();
    const opened = await open(idToken, { access_token: accessToken });
    expect(codeOf(await call(opened.body.session))).toBe(200);
    await forget();
    scene.clock.advanceSeconds(290);
    expect(codeOf(await call(opened.body.session))).toBe('401 sign_in_required');
    expect(scene.idp.exchanges).toHaveLength(1);
  });

  it('refuses a token of another user, and opens no session', async () => {
    const { idToken } = await signIn();
    const ofBob = await scene.idp.mintIdToken({ sub: 'user_bob', aud: 'tool-hub' }, { typ: 'at+jwt' });
    const { status, body } = await open(idToken, { access_token: ofBob });
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/access_token' })]]);
    expect([...scene.entries].filter(([key]) => key.startsWith('session:'))).toEqual([]);
  });

  it('refuses the ID token in the place of the access token, and opens no session', async () => {
    const { idToken } = await signIn();
    const { status, body } = await open(idToken, { access_token: idToken });
    expect([status, body.code, body.errors]).toEqual([
      400,
      'validation_failed',
      [
        expect.objectContaining({
          pointer: '/access_token',
          detail: expect.stringContaining('It is the ID token'),
        }),
      ],
    ]);
    expect([...scene.entries].filter(([key]) => key.startsWith('session:'))).toEqual([]);
  });

  it('does not drop cached tokens of the user if a caller has no access token', async () => {
    const session = await openSession();
    await call(session);
    await call(await scene.idTokenOf('user_alice'), 'con_tools');
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 503, {}) };
    expect(codeOf(await call(session))).toBe(200);
  });
});

it('passes on the ID token where a connector wants the token of the user, and no access token', async () => {
  await begin('access_token', {
    methods: [{ method: 'passthrough', acceptedAudiences: ['tool-hub'] }],
  });
  const { idToken, accessToken } = await signIn();
  const presented: unknown[] = [];
  scene.toolServer.misbehaviour = {
    mcp: (req, res) => {
      presented.push(req.headers.authorization);
      sendJson(res, 500, {});
    },
  };
  const opened = await open(idToken, { access_token: accessToken });
  await call(opened.body.session);
  expect(new Set(presented)).toEqual(new Set([`Bearer ${idToken}`]));
});

it('uses no fallback for a user whose token the identity provider does not exchange', async () => {
  await begin('access_token', { methods: [ID_JAG, FALLBACK] });
  scene.toolServer.misbehaviour = { resourceMetadata: 404 };
  expect(codeOf(await call(await scene.idTokenOf('user_alice')))).toBe('401 sign_in_required');
});

describe('if the identity provider exchanges refresh tokens, the hub', () => {
  beforeEach(() => begin('refresh_token'));

  /** @returns the handle of a session that has shown whose refresh token it has */
  async function openProven(): Promise<string> {
    const session = await openSession();
    expect((await connectorsOf(session)).status).toBe(200);
    return session;
  }

  it("does not exchange another user's refresh token, and ends the session", async () => {
    const { idToken } = await signIn();
    const ofBob = await scene.idp.signIn({ sub: 'user_bob', aud: 'tool-hub' }, { clientId: 'tool-hub' });
    const opened = await open(idToken, { refresh_token: ofBob.refreshToken });
    expect(codeOf(await call(opened.body.session))).toBe('401 session_ended');
    expect([scene.idp.exchanges, scene.idp.revoked.length]).toEqual([[], 1]);
  });

  it('does not exchange a refresh token that is renewed without an ID token', async () => {
    scene.idp.misbehaviour.renewsIdTokens = false;
    const session = await openSession();
    expect(codeOf(await call(session))).toBe('401 sign_in_required');
    expect((await connectorsOf(session)).status).toBe(200);
    expect(scene.idp.exchanges).toEqual([]);
  });

  it('exchanges one that is renewed without an ID token, if the ID-JAG shows whose it is', async () => {
    scene.idp.misbehaviour.metadata = { subject_types_supported: ['public'] };
    scene.idp.misbehaviour.renewsIdTokens = false;
    expect(codeOf(await call(await openSession()))).toBe(200);
  });

  it('waits with the exchange while the renewal is not possible', async () => {
    const session = await openSession();
    scene.idp.misbehaviour.token = (_req, res) => sendJson(res, 503, {});
    expect(codeOf(await call(session))).toBe('503 idp_unavailable');
    expect(scene.idp.exchanges).toEqual([]);
    delete scene.idp.misbehaviour.token;
    scene.clock.advanceSeconds(5);
    expect(codeOf(await call(session))).toBe(200);
  });

  it('exchanges the refresh token of the session', async () => {
    scene.idp.misbehaviour = { rotates: false };
    const session = await openProven();
    expect(codeOf(await call(session))).toBe(200);
    await forget();
    scene.clock.advanceSeconds(3400);
    expect(codeOf(await call(session))).toBe(200);
    expect(exchanged()).toEqual(Array(2).fill([`${TYPE}refresh_token`, 'refresh']));
    expect([scene.idp.refreshes.length, scene.idp.reused]).toEqual([2, []]);
  });

  it('follows the rotation, whether it comes with an exchange or with a renewal', async () => {
    const session = await openSession();
    for (let calls = 0; calls < 3; calls += 1) {
      expect(codeOf(await call(session))).toBe(200);
      await forget();
      scene.clock.advanceSeconds(3400);
    }
    expect([scene.idp.exchanges.length, scene.idp.refreshes.length, scene.idp.reused]).toEqual([3, 3, []]);
  });

  it('exchanges it until the ID token ends, if the provider renews no ID tokens', async () => {
    const session = await openProven();
    scene.idp.misbehaviour.renewsIdTokens = false;
    for (const seconds of [3400, 100]) {
      scene.clock.advanceSeconds(seconds);
      expect(codeOf(await call(session))).toBe(200);
      await forget();
    }
    expect([scene.idp.refreshes.length, scene.idp.reused]).toEqual([2, []]);
  });

  it('keeps it if the answer has no readable next one', async () => {
    const session = await openSession();
    scene.idp.misbehaviour = {
      rotates: false,
      response: { refresh_token: null, expires_in: '', id_token: null },
    };
    expect(codeOf(await call(session))).toBe(200);
    await forget();
    expect(codeOf(await call(session))).toBe(200);
  });

  it("does not present another client's", async () => {
    const { status, body } = await call(await openSession('frontend-app'));
    expect([status, body.code, body.detail]).toEqual([
      401,
      'sign_in_required',
      expect.stringContaining("a refresh token of the hub's own client"),
    ]);
    expect(scene.idp.exchanges).toEqual([]);
  });

  it('presents no token again whose response it did not get, and ends the session', async () => {
    const session = await openSession();
    scene.idp.misbehaviour = { exchanged: (req) => void req.socket.destroy() };
    expect(codeOf(await call(session))).toBe('401 sign_in_required');
    expect(codeOf(await call(session))).toBe('401 session_ended');
    expect([scene.idp.exchanges.length, scene.idp.reused]).toEqual([1, []]);
  });

  it('ends the session of a refresh token that is no longer valid', async () => {
    const session = await openProven();
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'invalid_grant' }) };
    expect(codeOf(await call(session))).toBe('401 sign_in_required');
    expect(codeOf(await call(session))).toBe('401 session_ended');
  });

  it('keeps the token after a refusal that concerns the tool server', async () => {
    const session = await openProven();
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'access_denied' }) };
    expect(codeOf(await call(session))).toBe('403 delegation_denied');
    scene.idp.misbehaviour = {};
    expect([codeOf(await call(session)), scene.idp.reused]).toEqual([200, []]);
  });
});

it('reports no fault of a connector to somebody without the token that the provider exchanges', async () => {
  await begin('refresh_token');
  const { body } = await request(scene.app)
    .post('/api/v1/connectors/con_tools/doctor')
    .set('Authorization', `Bearer ${await scene.idTokenOf('user_admin', { roles: ['admin'] })}`);
  const delegation = body.checks.slice(-4);
  expect([body.first_fault, delegation.map(({ status }: { status: string }) => status)]).toEqual([
    null,
    ['skipped', 'skipped', 'skipped', 'skipped'],
  ]);
  expect(delegation[0].detail).toContain('refresh token of a session');
});
