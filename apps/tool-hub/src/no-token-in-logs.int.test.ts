import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clientKeysSetting, publicClientKeys } from '@legate/client-authentication';
import { createIdentityProvider } from '@legate/delegation';
import { createHttpClient, type HttpClient, parseClientCertificate } from '@legate/service';
import { createTestCa } from '@legate/service/testing';
import { createPrivateJwk } from '@legate/testing';
import type { JSONWebKeySet } from 'jose';
import request from 'supertest';
import { type HubClient, openHubClient } from './platform/hub-client.ts';
import { createConnectScene } from './testing/connect-scene.ts';
import { type Handler, sendJson } from './testing/http-server.ts';
import { type OpenidPeer, startOpenidPeer } from './testing/openid-peer.ts';
import { createScene, type Scene } from './testing/scene.ts';

let scene: Scene;
afterEach(() => scene.stop());

const EXCHANGING = {
  client_id: 'tool-hub',
  grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'],
};

/** Any compact JWS. */
const JWS = /eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/;

it('writes no token, assertion or secret at the most verbose level, whether calls succeed or fail', async () => {
  scene = await createScene();
  const { idp, toolServer } = scene;
  const alice = await scene.idTokenOf('user_alice');
  const bob = await scene.idTokenOf('user_bob');
  const call = async (token: string, tool = 'whoami') =>
    (
      await request(scene.app)
        .post(`/api/v1/connectors/con_tools/tools/${tool}/call`)
        .set('Authorization', `Bearer ${token}`)
        .send({})
    ).status;
  const statuses: number[] = [];
  const see = async (token: string, tool?: string) => statuses.push(await call(token, tool));

  await see(alice);
  await see(alice);
  await see(alice, 'no_such_tool');
  await see(alice, 'broken');
  toolServer.revokeAll();
  await see(alice);
  await see(await scene.idTokenOf('user_alice', { aud: 'another-app' }));
  await see(await scene.idTokenOf('user_alice', { exp: 1 }));

  // A session is opened, renewed, used with its own tokens, and ended.
  const { idToken, refreshToken } = await idp.signIn({ sub: 'user_alice', sid: 'a-sign-in' });
  const api = (method: 'post' | 'delete', path: string, token: string) =>
    request(scene.app)[method](path).set('Authorization', `Bearer ${token}`);
  const opened = await api('post', '/api/v1/sessions', idToken).send({ refresh_token: refreshToken });
  const handle: string = opened.body.session;
  statuses.push(opened.status);
  await see(handle);
  scene.clock.advanceSeconds(280);
  await see(handle);
  idp.misbehaviour = {
    token: (_req, res, body) =>
      sendJson(res, 400, { error: 'invalid_client', error_description: body, error_uri: body }),
  };
  scene.clock.advanceSeconds(280);
  await see(handle);
  idp.misbehaviour = {};
  for (const logoutToken of [handle, await scene.idTokenOf('user_alice', { sid: 'a-sign-in' })])
    statuses.push(
      (
        await request(scene.app)
          .post('/oauth/backchannel-logout')
          .type('form')
          .send({ logout_token: logoutToken })
      ).status,
    );
  statuses.push((await api('delete', '/api/v1/sessions/current', handle)).status);
  await see(handle);

  // Servers return our own tokens in every way they can.
  const echoes: ((subject: string) => void)[] = [
    () => {
      idp.misbehaviour = { claims: { aud: 'https://other.example' } };
    },
    (subject) => {
      idp.misbehaviour = {
        token: (_req, res) =>
          sendJson(res, 400, { error: subject, error_description: subject, error_uri: subject }),
      };
    },
    (subject) => {
      idp.misbehaviour = {
        token: (_req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(subject),
      };
    },
    (subject) => {
      idp.misbehaviour = {
        token: (_req, res) => res.writeHead(302, { Location: `/?token=${subject}` }).end(),
      };
    },
    () => {
      idp.misbehaviour = {};
      toolServer.misbehaviour = {
        token: (_req, res, body) => sendJson(res, 400, { error: 'invalid_grant', error_description: body }),
      };
    },
    () => {
      toolServer.misbehaviour = {
        token: (_req, res, body) => res.writeHead(200).end(new URLSearchParams(body).get('assertion')),
      };
    },
    () => {
      toolServer.misbehaviour = { mcp: (req, res) => res.writeHead(200).end(req.headers.authorization) };
    },
    () => {
      toolServer.misbehaviour = {
        mcp: (req, res) => sendJson(res, 500, { error: { code: 1, message: req.headers.authorization } }),
      };
    },
  ];
  for (const arrange of echoes) {
    arrange(bob);
    await see(bob);
  }

  expect(statuses).toEqual([
    200,
    200,
    404,
    502,
    200,
    401,
    401,
    ...[201, 200, 200, 200, 400, 400, 204, 401],
    502,
    502,
    502,
    502,
    502,
    502,
    502,
    502,
  ]);
  const logged = scene.logged();
  expect(logged.split('\n').length).toBeGreaterThan(statuses.length);
  const secrets = [
    ...idp.issued,
    ...toolServer.issued,
    'tool-hub-secret',
    'hub-at-server-secret',
    'a-refresh-token',
    handle,
    'a-sign-in',
  ];
  expect(secrets.length).toBeGreaterThan(15);
  for (const secret of secrets) {
    expect(logged.includes(secret)).toBe(false);
    // The signature alone must not be logged either.
    expect(logged.includes(secret.split('.').at(-1) ?? secret)).toBe(false);
  }
  expect(logged).not.toMatch(JWS);
});

it.each(['access_token', 'refresh_token'] as const)('writes no %s that is exchanged', async (exchanges) => {
  scene = await createScene({ app: { subjectTokenType: exchanges } });
  const { idp } = scene;
  const { idToken, ...tokens } = await idp.signIn(
    { sub: 'user_alice', aud: 'tool-hub' },
    { clientId: 'tool-hub', idTokenSeconds: 3600 },
  );
  const open = (accessToken: string) =>
    request(scene.app)
      .post('/api/v1/sessions')
      .set('Authorization', `Bearer ${idToken}`)
      .send({ refresh_token: tokens.refreshToken, access_token: accessToken });
  const refused = await idp.mintIdToken({ sub: 'user_bob', aud: 'tool-hub' }, { typ: 'at+jwt' });
  const statuses = exchanges === 'access_token' ? [(await open(refused)).status] : [];
  const opened = await open(tokens.accessToken);
  statuses.push(opened.status);
  // The renewal that shows whose refresh token it is
  const listed = request(scene.app).get('/api/v1/connectors');
  await listed.set('Authorization', `Bearer ${opened.body.session}`).expect(200);
  // The provider returns the token in every way it can. The last one loses it.
  const answers: Handler[] = [
    (_req, res, body) => sendJson(res, 400, { error: 'invalid_target', error_description: body }),
    (_req, res, body) => sendJson(res, 400, { error: new URLSearchParams(body).get('subject_token') }),
    (_req, res, body) => sendJson(res, 503, { error: body }, { Location: body }),
    (_req, res, body) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
  ];
  for (const token of answers) {
    idp.misbehaviour = { exchanges, token };
    const call = request(scene.app).post('/api/v1/connectors/con_tools/tools/whoami/call');
    statuses.push((await call.set('Authorization', `Bearer ${opened.body.session}`).send({})).status);
  }
  const isAccess = exchanges === 'access_token';
  expect(statuses).toEqual([...(isAccess ? [400] : []), 201, 403, 502, 503, 502]);
  expect(idp.exchanges.length).toBeGreaterThanOrEqual(answers.length);
  const stored = [...scene.entries].map(([name, { value }]) => `${name} ${value.toString('latin1')}`);
  const seen = [scene.logged(), ...stored].join('\n');
  for (const secret of idp.issued) expect([secret, seen.includes(secret)]).toEqual([secret, false]);
});

describe('the log of a hub that authenticates', () => {
  let http: HttpClient;
  let peer: OpenidPeer;
  beforeEach(() => {
    http = createHttpClient({ allow: ['loopback'] });
  });
  afterEach(async () => {
    await peer.stop();
    await http.dispatcher.destroy();
  });

  /** Lets a provider return what it gets in every way it can, and expects that the log has none of these */
  async function expectSilent(hubClient: HubClient, secrets: readonly string[], status: number) {
    const clock = () => new Date();
    const identityProvider = createIdentityProvider({ issuer: peer.issuer, ...hubClient, clock });
    scene = await createScene({ hubClient, app: { identityProvider } });
    const echoes: ((form: string) => object)[] = [
      (form) => ({ error: 'invalid_client', error_description: form, error_uri: form }),
      (form) => ({ error: new URLSearchParams(form).get('client_assertion') ?? form }),
      (form) => ({ error: 'invalid_client', error_codes: [form] }),
    ];
    for (const echo of echoes) {
      peer.exchange = async (form) => ({ status, body: echo(String(form)) });
      const res = await request(scene.app)
        .post('/api/v1/connectors/con_tools/tools/whoami/call')
        .set('Authorization', `Bearer ${await scene.idTokenOf('user_alice')}`)
        .send({});
      expect([res.status, JWS.test(res.text)]).toEqual([502, false]);
    }
    expect(peer.requests).toHaveLength(echoes.length);
    const assertions = peer.requests.map(({ form }) => form.get('client_assertion')?.split('.').at(-1));
    const logged = scene.logged();
    expect(logged.split('\n').length).toBeGreaterThan(echoes.length);
    expect(logged).not.toMatch(JWS);
    for (const secret of [...secrets, ...assertions]) if (secret) expect(logged.includes(secret)).toBe(false);
  }

  it('by a key has no assertion, and nothing of the key', async () => {
    const [privateJwk] = clientKeysSetting.parse(
      JSON.stringify({ keys: [{ ...createPrivateJwk({ modulusLength: 2048 }), kid: 'a' }] }),
    );
    if (!privateJwk) throw new Error('no key');
    const jwks = publicClientKeys([privateJwk]) as JSONWebKeySet;
    peer = await startOpenidPeer({
      client: { ...EXCHANGING, token_endpoint_auth_method: 'private_key_jwt', jwks },
    });
    const clientAuth = { method: 'private_key_jwt', privateJwk } as const;
    await expectSilent({ clientId: 'tool-hub', clientAuth, fetch: http.fetch }, [String(privateJwk.d)], 400);
  });

  it('by a certificate has nothing of it or its key', async () => {
    const ca = await createTestCa();
    const { bundle } = await ca.issue('hub');
    peer = await startOpenidPeer({
      client: {
        ...EXCHANGING,
        token_endpoint_auth_method: 'tls_client_auth',
        tls_client_auth_subject_dn: 'CN=hub',
      },
      ca,
    });
    const IDP_CLIENT_CERTIFICATE = { ...parseClientCertificate(bundle), trustedCas: ca.certificate };
    const hubClient = openHubClient(
      { IDP_KIND: 'generic', IDP_CLIENT_ID: 'tool-hub', IDP_CLIENT_CERTIFICATE },
      { http, clock: () => new Date() },
    );
    const lines = bundle.split('\n').filter((line) => line.length > 20);
    expect(lines.length).toBeGreaterThan(5);
    await expectSilent(hubClient, lines, 400);
    await hubClient.close();
  });
});

it('writes no token, code, ticket or state of a connection to the log, nor unencrypted to the store', async () => {
  let isDown = false;
  const connect = await createConnectScene({
    backend: (memory) => ({
      ...memory,
      replace: (...entry) => (isDown ? Promise.reject(new Error('down')) : memory.replace(...entry)),
    }),
  });
  scene = connect;
  const { external } = connect;
  const exp = Math.floor(connect.clock().getTime() / 1000) + 12 * 3600;
  const alice = await scene.idTokenOf('user_alice', { exp });
  const browser = { cookie: '', signedInAs: 'user_mallory' };
  const link = (await connect.api('post', alice)).body.authorize_url;
  const opened = (await connect.visit(browser, link)).headers.location ?? '';
  const callback = connect.signIn(browser, opened);
  const statuses = [(await connect.visit(browser, callback)).status];
  const see = async () => statuses.push((await connect.call(alice)).status);
  const stored: string[] = [];
  const look = () =>
    stored.push(...[...scene.entries].map(([name, { value }]) => `${name} ${value.toString('latin1')}`));

  const done = await connect.connect(alice, 'user_alice');
  statuses.push(done.status);
  look();
  await see();
  scene.clock.advanceSeconds(3600);
  isDown = true;
  await see();
  isDown = false;
  // The authorization server returns our own secrets in every way it can.
  const echoes = [
    (body: string) => ({ error: 'invalid_request', error_description: body, error_uri: body }),
    (body: string) => ({ error: new URLSearchParams(body).get('refresh_token') }),
    (body: string) => ({ access_token: body, token_type: body }),
  ];
  for (const echo of echoes) {
    external.misbehaviour = {};
    await connect.connect(alice, 'user_alice');
    scene.clock.advanceSeconds(3600);
    external.misbehaviour = { token: (_req, res, body) => sendJson(res, 400, echo(body)) };
    await see();
    statuses.push((await connect.connect(alice, 'user_alice')).status);
  }
  await connect.api('delete', alice);
  look();

  expect(statuses).toEqual([403, 200, 200, 200, 502, 502, 502, 502, 502, 502]);
  const seen = [scene.logged(), ...stored].join('\n');
  const parameters = [link, opened, callback].flatMap((url) => [...new URL(url).searchParams]);
  const secrets = parameters.filter(([name]) => ['ticket', 'state', 'code', 'nonce'].includes(name));
  const all = [...external.issued, ...scene.idp.issued, ...secrets.map(([, value]) => value)];
  expect(all.length).toBeGreaterThan(15);
  for (const secret of [...all, browser.cookie.split('=')[1] ?? '']) {
    expect(secret).not.toBe('');
    expect(seen.includes(secret)).toBe(false);
  }
});

it('writes no API key and no passed-through token, whatever a tool server does with them', async () => {
  const key = 'sk-live-0123456789abcdef';
  const service = { method: 'service', key: { kind: 'api_key', header: 'x-key', value: key } } as const;
  const passthrough = { method: 'passthrough', acceptedAudiences: ['frontend-app'] } as const;
  for (const method of [service, passthrough]) {
    scene = await createScene({ connector: { methods: [method] } });
    const token = await scene.idTokenOf('user_alice');
    const answers: Handler[] = [
      (_req, res) => sendJson(res, 401, {}, { 'WWW-Authenticate': `Bearer error="${key}"` }),
      (req, res) => sendJson(res, 400, { error: { code: 1, message: JSON.stringify(req.headers) } }),
      (req, res) => res.writeHead(200).end(JSON.stringify(req.headers)),
      (req, res) => res.writeHead(302, { Location: `/?${req.headers['x-key'] ?? token}` }).end(),
      (req) => void req.socket.destroy(),
    ];
    for (const mcp of answers) {
      scene.toolServer.misbehaviour = { mcp };
      const res = await request(scene.app)
        .post('/api/v1/connectors/con_tools/tools/whoami/call')
        .set('Authorization', `Bearer ${token}`)
        .send({});
      expect([502, 503]).toContain(res.status);
      expect([res.text.includes(key), JWS.test(res.text)]).toEqual([false, false]);
    }
    expect(scene.toolServer.calls.length).toBeGreaterThanOrEqual(answers.length);
    expect([scene.logged().includes(key), JWS.test(scene.logged())]).toEqual([false, false]);
    if (method !== passthrough) await scene.stop();
  }
});
