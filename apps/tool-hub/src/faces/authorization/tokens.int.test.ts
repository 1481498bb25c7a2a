import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import {
  type AuthorizationScene,
  createAuthorizationScene,
  HUB,
  newBrowser,
  REDIRECT_URI,
  SECRET,
  type Tokens,
} from '../../testing/authorization-scene.ts';

let scene: AuthorizationScene;
beforeEach(async () => {
  scene = await createAuthorizationScene();
});
afterEach(() => scene.stop());

const statusOf = async ({ access_token }: Tokens) => (await scene.listTools(access_token)).status;
const errorOf = ({ status, body }: request.Response) => `${status} ${body.error}`;

describe('a code', () => {
  const codeFor = async (changes: Record<string, string> = {}) =>
    (await scene.authorize(newBrowser(), changes)).searchParams.get('code') ?? '';

  it.each<[string, Record<string, string>, string]>([
    ['with another verifier', { code_verifier: 'x'.repeat(43) }, '400 invalid_grant'],
    ['without a verifier', { code_verifier: '' }, '400 invalid_grant'],
    ['with another redirect URI', { redirect_uri: 'https://agent.example/second' }, '400 invalid_grant'],
    ['by another client', { client_id: 'other' }, '400 invalid_grant'],
    ['by an unknown client', { client_id: 'nobody' }, '401 invalid_client'],
    ['by a client that does not authenticate', { client_id: 'confidential' }, '401 invalid_client'],
    ['for another resource', { resource: 'https://evil.example' }, '400 invalid_target'],
  ])('is not redeemed %s, and stays valid', async (_case, changes, error) => {
    const code = await codeFor();
    expect(errorOf(await scene.redeem(code, changes))).toBe(error);
    if (!('resource' in changes)) expect((await scene.redeem(code)).status).toBe(200);
  });

  it.each(['agent', 'two'])(
    'is redeemed without a redirect URI, which PKCE makes unnecessary, by %s',
    async (id) => {
      const code = await codeFor({ client_id: id });
      expect(
        (await scene.redeem(code, { client_id: id, redirect_uri: '', code_verifier: 'x'.repeat(43) })).status,
      ).toBe(400);
      expect((await scene.redeem(code, { client_id: id, redirect_uri: '' })).status).toBe(200);
    },
  );

  it('and the tokens for it can be used by a web page of any origin', async () => {
    const ofPage = (test: request.Test) => test.set('Origin', 'http://localhost:6274');
    const redeemed = await ofPage(scene.redeem(await codeFor()));
    const refreshed = await ofPage(scene.refresh(redeemed.body.refresh_token));
    const revoked = await ofPage(scene.revoke(refreshed.body.refresh_token));
    expect(
      [redeemed, refreshed, revoked].map(({ status, headers }) => [
        status,
        headers['access-control-allow-origin'],
        headers['access-control-allow-credentials'],
      ]),
    ).toEqual(Array(3).fill([200, '*', undefined]));
  });

  it('is redeemed if a page has sent the form with two content types', async () => {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: await codeFor(),
      client_id: 'agent',
      redirect_uri: REDIRECT_URI,
      code_verifier: scene.verifier,
    });
    const redeemed = await request(scene.app)
      .post('/oauth/token')
      .set('Content-Type', 'application/json, application/x-www-form-urlencoded')
      .send(form.toString());
    expect(redeemed.status).toBe(200);
  });

  it('is valid for only a minute', async () => {
    const code = await codeFor();
    scene.clock.advanceSeconds(61);
    expect(errorOf(await scene.redeem(code))).toBe('400 invalid_grant');
  });

  it('that is presented a second time ends the session that was opened with it', async () => {
    const code = await codeFor();
    const { body } = await scene.redeem(code);
    expect(await statusOf(body)).toBe(200);
    expect(errorOf(await scene.redeem(code))).toBe('400 invalid_grant');
    expect(await statusOf(body)).toBe(401);
    expect(errorOf(await scene.refresh(body.refresh_token))).toBe('400 invalid_grant');
  });

  it('that is presented twice at once is redeemed at most once', async () => {
    const code = await codeFor();
    const answers = await Promise.all([scene.redeem(code), scene.redeem(code), scene.redeem(code)]);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('is redeemed by a confidential client with its secret, in the header or in the form', async () => {
    for (const basic of [true, false]) {
      const code = await codeFor({ client_id: 'confidential' });
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
        code_verifier: scene.verifier,
      };
      const sent = request(scene.app).post('/oauth/token').type('form');
      const answer = basic
        ? await sent.auth('confidential', SECRET).send(form)
        : await sent.send({ ...form, client_id: 'confidential', client_secret: SECRET });
      expect(answer.status).toBe(200);
    }
  });
});

describe('an access token', () => {
  it('is valid for an hour', async () => {
    const tokens = await scene.tokens();
    scene.clock.advanceSeconds(3599);
    expect(await statusOf(tokens)).toBe(200);
    scene.clock.advanceSeconds(2);
    expect(await statusOf(tokens)).toBe(401);
  });

  it.each([
    ['GET', '/api/v1/connectors'],
    ['POST', '/api/v1/connectors/con_tools/tools/whoami/call'],
    ['POST', '/api/v1/sessions'],
    ['DELETE', '/api/v1/tokens'],
  ])('is refused at the API of applications: %s %s', async (method, path) => {
    const { access_token } = await scene.tokens();
    const answer = await request(scene.app)
      [method.toLowerCase() as 'get' | 'post' | 'delete'](path)
      .set('Authorization', `Bearer ${access_token}`);
    expect([answer.status, answer.body.code]).toEqual([401, 'token_invalid']);
  });

  it('can be used to get the explanation of a refusal at /mcp', async () => {
    const { access_token } = await scene.tokens();
    const answer = await request(scene.app)
      .get('/api/v1/calls/evt_01ARZ3NDEKTSV4RRFFQ69G5FAV/explanation')
      .set('Authorization', `Bearer ${access_token}`);
    expect(answer.status).toBe(404);
  });

  it.each(['lat_', `lat_${'x'.repeat(43)}`, 'lrt_x', `lat_${'x'.repeat(4000)}`])(
    'that was never issued is refused: %s',
    async (token) => {
      expect((await scene.listTools(token)).status).toBe(401);
    },
  );

  it('cannot be used as a refresh token, nor a refresh token as an access token', async () => {
    const { access_token, refresh_token } = await scene.tokens();
    expect((await scene.listTools(refresh_token)).status).toBe(401);
    expect((await scene.listTools(refresh_token.replace('lrt_', 'lat_'))).status).toBe(401);
    expect(errorOf(await scene.refresh(access_token))).toBe('400 invalid_grant');
    expect(errorOf(await scene.refresh(access_token.replace('lat_', 'lrt_')))).toBe('400 invalid_grant');
  });
});

it('is in the audit trail with the client that called', async () => {
  const { access_token } = await scene.tokens(newBrowser(), { client_id: 'other' });
  const called = await request(scene.app)
    .post('/mcp/con_tools')
    .set({ Host: 'hub.test', Authorization: `Bearer ${access_token}`, 'MCP-Protocol-Version': '2025-06-18' })
    .set('Accept', 'application/json, text/event-stream')
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } });
  expect(called.status).toBe(200);
  const events = await scene.audited();
  const opened = events.find(({ action }) => action === 'session.opened');
  const call = events.find(({ action }) => action === 'tool.called');
  expect(opened?.details).toMatchObject({ authorized_party: 'other', client_name: 'An agent' });
  expect(call?.details).toMatchObject({ authorized_party: 'other' });
});

describe('a refresh', () => {
  it('gives a new pair, and gives the same pair to a repeated request within the minute', async () => {
    const first = await scene.tokens();
    const second = await scene.refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect((await scene.refresh(first.refresh_token)).body).toEqual(second.body);
    expect(await statusOf(second.body)).toBe(200);
    expect(await statusOf(first)).toBe(200);
  });

  it('that is requested five times at once gives one successor', async () => {
    const first = await scene.tokens();
    const answers = await Promise.all(Array.from({ length: 5 }, () => scene.refresh(first.refresh_token)));
    const successors = new Set(answers.map(({ body }) => body.refresh_token));
    expect([answers.map(({ status }) => status), successors.size]).toEqual([[200, 200, 200, 200, 200], 1]);
  });

  it('with a used token after the minute ends the session, successors included', async () => {
    const first = await scene.tokens();
    const { body: second } = await scene.refresh(first.refresh_token);
    scene.clock.advanceSeconds(61);
    expect(errorOf(await scene.refresh(first.refresh_token))).toBe('400 invalid_grant');
    expect(await statusOf(second)).toBe(401);
    expect(errorOf(await scene.refresh(second.refresh_token))).toBe('400 invalid_grant');
    const ended = (await scene.audited()).filter(({ action }) => action === 'session.ended');
    const client = { authorized_party: 'agent', client_name: 'An agent' };
    expect(ended.map(({ details }) => details)).toEqual([{ reason: 'token_reused', ...client }]);
  });

  it('by another client changes nothing', async () => {
    const first = await scene.tokens();
    const { body: second } = await scene.refresh(first.refresh_token);
    expect(errorOf(await scene.refresh(first.refresh_token, { client_id: 'other' }))).toBe(
      '400 invalid_grant',
    );
    scene.clock.advanceSeconds(61);
    expect(errorOf(await scene.refresh(first.refresh_token, { client_id: 'other' }))).toBe(
      '400 invalid_grant',
    );
    expect(await statusOf(second)).toBe(200);
  });

  it('works until the session ends, and renews its ID token', async () => {
    let tokens = await scene.tokens();
    for (let hour = 0; hour < 5; hour += 1) {
      scene.clock.advanceSeconds(3500);
      tokens = (await scene.refresh(tokens.refresh_token)).body;
      expect(await statusOf(tokens)).toBe(200);
    }
    expect(scene.idp.refreshes.length).toBeGreaterThan(0);
  });

  it('is refused when the identity provider has ended the sign-in', async () => {
    const tokens = await scene.tokens();
    scene.idp.misbehaviour.token = (_req, res) =>
      void res.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"invalid_grant"}');
    scene.clock.advanceSeconds(3590);
    expect(errorOf(await scene.refresh(tokens.refresh_token))).toBe('400 invalid_grant');
  });

  it('is an outage, not a refusal, while the identity provider is unavailable', async () => {
    const tokens = await scene.tokens();
    scene.clock.advanceSeconds(3700);
    await scene.idp.stop();
    const answer = await scene.refresh(tokens.refresh_token);
    expect([errorOf(answer), answer.headers['retry-after']]).toEqual(['503 temporarily_unavailable', '5']);
  });

  it('is limited to 60 a minute for one token, and separately for another token of the same client', async () => {
    const [often, once] = [await scene.tokens(), await scene.tokens()];
    const statuses = [];
    for (let i = 0; i < 61; i += 1) statuses.push((await scene.refresh(often.refresh_token)).status);
    expect(statuses).toEqual([...Array(60).fill(200), 429]);
    expect((await scene.refresh(once.refresh_token)).status).toBe(200);
    scene.clock.advanceSeconds(60);
    expect((await scene.refresh(often.refresh_token)).status).not.toBe(429);
  });

  it('is limited in the same way if it fails although its token is valid', async () => {
    const { refresh_token } = await scene.tokens();
    const elsewhere = { resource: 'https://other.example/mcp', code: 'x' };
    const statuses = [];
    for (let i = 0; i < 200; i += 1) statuses.push((await scene.refresh(refresh_token, elsewhere)).status);
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(180);
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
  });

  it('succeeds while others fail in the name of its client from the same address', async () => {
    const { refresh_token } = await scene.tokens();
    const { access_token } = await scene.tokens();
    const statuses = [];
    for (let i = 0; i < 130; i += 1) statuses.push((await scene.refresh(`lrt_made-up-${i}`)).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
    expect((await scene.refresh(refresh_token)).status).toBe(200);
    expect((await scene.revoke(access_token)).status).toBe(200);
    expect((await scene.tokens()).access_token).toMatch(/^lat_/);
  });
});

describe('revocation', () => {
  it.each(['access_token', 'refresh_token'] as const)('of the %s ends the session', async (which) => {
    const tokens = await scene.tokens();
    expect((await scene.revoke(tokens[which])).status).toBe(200);
    expect(await statusOf(tokens)).toBe(401);
    expect(errorOf(await scene.refresh(tokens.refresh_token))).toBe('400 invalid_grant');
    expect(scene.idp.revoked).toHaveLength(1);
  });

  it('returns 200 for an unknown token or one of another client, and does not revoke it', async () => {
    const tokens = await scene.tokens();
    for (const token of ['x', 'lat_x', 'lrt_x']) expect((await scene.revoke(token)).status).toBe(200);
    expect((await scene.revoke(tokens.refresh_token, { client_id: 'other' })).status).toBe(200);
    expect(await statusOf(tokens)).toBe(200);
  });

  it('requires a token and a client', async () => {
    expect(errorOf(await scene.post('/oauth/revoke', { client_id: 'agent' }))).toBe('400 invalid_request');
    expect(errorOf(await scene.post('/oauth/revoke', { token: 'x' }))).toBe('401 invalid_client');
  });

  it('of the tokens of a user at the hub ends the tokens of clients', async () => {
    const tokens = await scene.tokens();
    const idToken = await scene.idTokenOf('user_alice');
    await request(scene.app).delete('/api/v1/tokens').set('Authorization', `Bearer ${idToken}`).expect(204);
    expect(await statusOf(tokens)).toBe(401);
    expect(errorOf(await scene.refresh(tokens.refresh_token))).toBe('400 invalid_grant');
  });
});

describe('a form', () => {
  it.each([
    ['with a list', 'code[]=1&code[]=2&token[]=1'],
    ['with a name that has a dot', 'code.a=b&token.a=b'],
    ['with members of prototypes', '__proto__[polluted]=1&constructor[prototype][polluted]=1&__proto__=2'],
    ['with a name and a name nested in it', 'code=1&code[a]=b'],
    ['with a deep name', `a${'[b]'.repeat(50)}=1`],
    ['with repeated names', 'code=1&code=2&token=1&token=2'],
    ['with very many fields', 'a=1&'.repeat(5000)],
    ['with very many names', Array.from({ length: 5000 }, (_, at) => `a${at}=1`).join('&')],
    ['without names', '=1&&=&[]=1&[a]=2'],
    ['with broken escapes', 'code=%ZZ&%E0%A4%A=1&%00=%00'],
  ])('%s is refused with a 4xx status, for each grant and client', async (_case, form) => {
    const clients = ['', 'client_id=agent', `client_id=confidential&client_secret=${SECRET}`];
    const grants = ['', 'grant_type=authorization_code', 'grant_type=refresh_token', 'grant_type[]=x'];
    for (const client of clients)
      for (const grant of grants) {
        const text = [grant, client, form].join('&');
        const answer = await request(scene.app).post('/oauth/token').type('form').send(text);
        expect([text.slice(0, 80), Math.floor(answer.status / 100)]).toEqual([text.slice(0, 80), 4]);
      }
    const revoked = await request(scene.app).post('/oauth/revoke').type('form').send(form);
    expect(Math.floor(revoked.status / 100)).toBe(4);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('another browser', () => {
  it('cannot continue an interaction or a sign-in', async () => {
    const victim = newBrowser('user_erin');
    const page = await scene.begin(victim);
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const attacker = newBrowser('user_mallory');
    const seen = await scene.visit(attacker, action.replace('/decision', ''));
    expect([seen.status, seen.text.includes('user_erin')]).toEqual([400, false]);
    expect((await scene.decide(attacker, page)).status).toBe(400);

    const begun = await scene.visit(attacker, scene.authorizationUrl());
    const atProvider = await scene.visit(attacker, begun.headers.location ?? '');
    const back = scene.signIn(attacker, atProvider.headers.location ?? '');
    expect((await scene.visit(victim, back)).status).toBe(400);
  });

  it('cannot be made to send the form without its token, or from another site', async () => {
    const browser = newBrowser('user_erin');
    const page = await scene.begin(browser);
    expect((await scene.decide(browser, page, 'allow', { token: 'guessed' })).status).toBe(400);
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
    for (const site of ['cross-site', 'same-site', 'none']) {
      const sent = await request(scene.app)
        .post(action)
        .set({
          Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
          'Sec-Fetch-Site': site,
        })
        .type('form')
        .send({ decision: 'allow', token: /name="token" value="([^"]+)"/.exec(page.text)?.[1] });
      expect(sent.status).toBe(403);
    }
    const done = await scene.decide(browser, page);
    expect(new URL(done.headers.location ?? '').searchParams.has('code')).toBe(true);
    expect((await scene.decide(browser, page)).status).toBe(400);
  });

  it('gets a page that explains why it cannot continue', async () => {
    for (const path of [
      '/oauth/interaction/x',
      '/oauth/authorize/x',
      '/oauth/callback?state=x&code=y',
      '/oauth/callback',
    ])
      expect((await scene.visit(newBrowser(), path)).status).toBe(400);
    expect(
      (await scene.decide(newBrowser(), await scene.begin(newBrowser('user_erin')), 'nonsense')).status,
    ).toBe(400);
  });
});

it('signs two users in with one browser, one after the other', async () => {
  const browser = newBrowser('user_alice');
  const alices = await scene.tokens(browser);
  browser.signedInAs = 'user_bob';
  const bobs = await scene.tokens(browser);
  expect([await statusOf(alices), await statusOf(bobs)]).toEqual([200, 200]);
  expect((await scene.revoke(alices.access_token)).status).toBe(200);
  expect([await statusOf(alices), await statusOf(bobs)]).toEqual([401, 200]);
});

it('works across replicas: authorized through both, refreshed at both, revoked at one', async () => {
  const other = scene.replica({});
  const browser = newBrowser();
  const begun = await scene.visit(browser, scene.authorizationUrl());
  const atProvider = await scene.visit(browser, begun.headers.location ?? '', other);
  const back = await scene.visit(browser, scene.signIn(browser, atProvider.headers.location ?? ''));
  const page = await scene.visit(browser, back.headers.location ?? '', other);
  const answer = await scene.decide(browser, page);
  const { body: tokens } = await scene.redeem(
    new URL(answer.headers.location ?? '').searchParams.get('code') ?? '',
  );
  expect((await scene.listTools(tokens.access_token, '/mcp', other)).status).toBe(200);

  const [here, there] = await Promise.all([
    scene.refresh(tokens.refresh_token),
    scene.refresh(tokens.refresh_token, {}, other),
  ]);
  expect([here?.body, here?.status]).toEqual([there?.body, 200]);
  await scene.revoke(tokens.access_token);
  expect((await scene.listTools(here?.body.access_token, '/mcp', other)).status).toBe(401);
});

describe('a client that registers itself', () => {
  const register = (metadata: object | string) =>
    request(scene.app)
      .post('/oauth/register')
      .set('Content-Type', 'application/json')
      .send(typeof metadata === 'string' ? metadata : JSON.stringify(metadata));

  it('is a public client, and nothing is stored for it', async () => {
    const before = scene.entries.size;
    const answer = await register({
      client_name: 'Cursor',
      redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:1234', 'ftp://x/y'],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      scope: 'openid',
    });
    expect([answer.status, scene.entries.size - before]).toEqual([201, 0]);
    expect(answer.body).toMatchObject({
      client_id: expect.stringMatching(/^lcd_/),
      client_name: 'Cursor',
      redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:1234/'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    });
    const { client_id } = answer.body;
    for (const redirect_uri of ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:9999']) {
      const tokens = await scene.tokens(newBrowser(), { client_id, redirect_uri });
      expect(await statusOf(tokens)).toBe(200);
    }
  });

  it.each<[string, object | string, number, string]>([
    ['no redirect URI', {}, 400, 'invalid_redirect_uri'],
    ['an empty list', { redirect_uris: [] }, 400, 'invalid_redirect_uri'],
    [
      'none that can be used',
      { redirect_uris: ['http://evil.example/', 'javascript:alert(1)'] },
      400,
      'invalid_redirect_uri',
    ],
    ['one with a fragment', { redirect_uris: ['https://a.example/#x'] }, 400, 'invalid_redirect_uri'],
    ['no object', '[]', 400, 'invalid_client_metadata'],
    ['no JSON', '{', 400, 'invalid_client_metadata'],
    [
      'too much',
      { redirect_uris: ['https://a.example/'], x: 'x'.repeat(20_000) },
      413,
      'invalid_client_metadata',
    ],
    [
      'too long redirect URIs',
      { redirect_uris: Array.from({ length: 20 }, (_, i) => `https://a.example/${i}/${'x'.repeat(400)}`) },
      400,
      'invalid_client_metadata',
    ],
  ])('is refused with %s', async (_case, metadata, status, error) => {
    expect(errorOf(await register(metadata))).toBe(`${status} ${error}`);
  });

  it('can register although a web page at the same address has reached its limit', async () => {
    const registerFrom = async (origin: string | undefined, metadata: object) => {
      const sent = request(scene.app).post('/oauth/register');
      return (await (origin === undefined ? sent : sent.set('Origin', origin)).send(metadata)).status;
    };
    const good = { redirect_uris: ['https://a.example/'] };
    const statuses = [];
    for (let i = 0; i < 20; i += 1) statuses.push(await registerFrom('https://page.example', {}));
    for (let i = 0; i < 200; i += 1) statuses.push(await registerFrom('https://page.example', good));
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(400));
    expect([statuses.indexOf(429), new Set(statuses)]).toEqual([191, new Set([400, 201, 429])]);
    expect(await registerFrom(undefined, good)).toBe(201);
  });
});

it('does not reset the failures of a client by revoking something that is not a token', async () => {
  const ids = [];
  for (let i = 0; i < 7; i += 1) {
    const registered = await request(scene.app)
      .post('/oauth/register')
      .send({ redirect_uris: [`https://a.example/${i}`] });
    ids.push(registered.body.client_id);
  }
  const nonsense = { grant_type: 'refresh_token', refresh_token: 'x' };
  const statuses = new Map<number, number>();
  for (const client_id of ids) {
    expect((await scene.revoke('nonsense', { client_id })).status).toBe(200);
    for (let i = 0; i < 118; i += 1) {
      const { status } = await scene.post('/oauth/token', { ...nonsense, client_id });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  // 600 failures of the network address, and a few extra attempts
  expect([...statuses.keys()]).toEqual([400, 429]);
  expect(statuses.get(429)).toBeGreaterThan(200);
});

describe('documents', () => {
  it('contain what a client needs to sign a user in', async () => {
    const { body } = await request(scene.app).get('/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      issuer: HUB,
      authorization_endpoint: `${HUB}/oauth/authorize`,
      token_endpoint: `${HUB}/oauth/token`,
      registration_endpoint: `${HUB}/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    const { body: resource } = await request(scene.app).get(
      '/.well-known/oauth-protected-resource/mcp/con_tools',
    );
    expect(resource).toMatchObject({
      resource: `${HUB}/mcp/con_tools`,
      authorization_servers: [HUB],
      scopes_supported: ['mcp'],
    });
  });

  it('are linked in the refusal of a request without a token', async () => {
    const answer = await request(scene.app).post('/mcp').set('Host', 'hub.test').send({});
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining(`resource_metadata="${HUB}/.well-known/oauth-protected-resource/mcp"`),
    ]);
    expect(answer.headers['www-authenticate']).toContain('scope="mcp"');
  });
});
