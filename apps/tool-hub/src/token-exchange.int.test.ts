import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MethodSettings } from '@legate/delegation';
import { createSigningKeys, epochSeconds } from '@legate/jwt';
import { createTestClock } from '@legate/service/testing';
import request from 'supertest';
import { createConnectorRegistry } from './domain/registry.ts';
import { exchangeProfileOf } from './sign-in/identity-provider.ts';
import { sendJson } from './testing/http-server.ts';
import { createScene, ID_JAG, type Scene } from './testing/scene.ts';

const TYPE = 'urn:ietf:params:oauth:token-type:';
const SERVICE: MethodSettings = {
  method: 'service',
  key: { kind: 'api_key', header: 'authorization', value: 'the-key-of-the-connector' },
};
const exchange = (settings: object = {}): MethodSettings => ({
  method: 'token-exchange',
  audience: 'api://tools',
  tokenAudience: 'api://tools',
  issuer: undefined,
  ...settings,
});
const keys = await createSigningKeys({ alg: 'ES256', clock: createTestClock() });

let scene: Scene;
let session: string;
/** Changes the claims and the response of the exchange, or replaces the response by a refusal. */
let answer: { claims?: object; body?: object; refusal?: object };
let issued: string[];
afterEach(() => scene.stop());

const place = {
  kind: 'generic',
  issuer: 'https://idp.example',
  clientIds: ['tool-hub'],
  services: [],
} as const;

async function begin(...methods: [MethodSettings, ...MethodSettings[]]): Promise<void> {
  answer = {};
  issued = [];
  scene = await createScene({
    connector: { methods },
    app: { subjectTokenType: 'access_token', exchange: exchangeProfileOf(place) },
  });
  scene.idp.misbehaviour.exchange = async (_req, res, body) => {
    if (answer.refusal) return sendJson(res, 400, answer.refusal);
    const form = new URLSearchParams(body);
    if (form.get('requested_token_type') !== `${TYPE}access_token`)
      return sendJson(res, 400, { error: 'access_denied' });
    const now = epochSeconds(scene.clock());
    const token = await keys.sign(
      {
        iss: scene.idp.issuer,
        sub: 'user_alice',
        aud: form.get('audience') ?? '',
        exp: now + 3600,
        ...answer.claims,
      },
      { typ: 'at+jwt' },
    );
    issued.push(token);
    sendJson(res, 200, {
      access_token: token,
      issued_token_type: `${TYPE}access_token`,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: form.get('scope'),
      refresh_token: 'a-refresh-token-that-nobody-asked-for',
      ...answer.body,
    });
  };
  listIdentityProvider();
  scene.toolServer.recognize = ({ authorization }) =>
    issued.some((token) => authorization === `Bearer ${token}`) ? 'user_alice' : undefined;
  session = await openSession();
}

/** Makes the metadata of the tool server list the identity provider, as one that accepts its tokens does. */
const listIdentityProvider = () => {
  scene.toolServer.misbehaviour = { resourceMetadata: { authorization_servers: [scene.idp.issuer] } };
};

async function openSession(): Promise<string> {
  const { idToken, refreshToken } = await scene.idp.signIn(
    { sub: 'user_alice', aud: 'tool-hub', roles: ['admin'] },
    { clientId: 'tool-hub', idTokenSeconds: 3600 },
  );
  const opened = await request(scene.app)
    .post('/api/v1/sessions')
    .set('Authorization', `Bearer ${idToken}`)
    .send({ refresh_token: refreshToken });
  return opened.body.session;
}

const call = (token = session, app = scene.app) =>
  request(app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set('Authorization', `Bearer ${token}`)
    .send({});
async function explanationOf(callId: string | undefined) {
  const { body } = await request(scene.app)
    .get(`/api/v1/calls/${callId}/explanation`)
    .set('Authorization', `Bearer ${session}`);
  return body;
}
async function examine(token = session) {
  const { body } = await request(scene.app)
    .post('/api/v1/connectors/con_tools/doctor')
    .set('Authorization', `Bearer ${token}`);
  return Object.fromEntries(body.checks.map(({ check, ...finding }: { check: string }) => [check, finding]));
}
const codeOf = ({ status, body }: request.Response) => (status === 200 ? 200 : `${status} ${body.code}`);
const sentToTools = () => scene.toolServer.calls.map(({ headers }) => headers.authorization);

describe('a connector with token-exchange', () => {
  beforeEach(() => begin(exchange()));

  it("calls with a token that the identity provider gives for the user's access token", async () => {
    expect(codeOf(await call())).toBe(200);
    const [form] = scene.idp.exchanges;
    expect(Object.fromEntries(form ?? [])).toMatchObject({
      subject_token: expect.stringMatching(/^access-/),
      subject_token_type: `${TYPE}access_token`,
      audience: 'api://tools',
      scope: 'mcp:tools:read mcp:tools:call',
    });
    expect(scene.toolServer.redemptions).toEqual([]);
    expect(new Set(sentToTools())).toEqual(new Set([`Bearer ${issued[0]}`]));
  });

  it('caches the token, and asks once for concurrent calls', async () => {
    await Promise.all([call(), call(), call()]);
    await call();
    expect(scene.idp.exchanges).toHaveLength(1);
  });

  it('keeps neither the refresh token of the answer nor anything unencrypted', async () => {
    await call();
    const stored = JSON.stringify([...scene.entries]);
    expect([stored.includes(issued[0] ?? '?'), scene.logged().includes(issued[0] ?? '?')]).toEqual([
      false,
      false,
    ]);
    expect(scene.logged()).not.toContain('a-refresh-token-that-nobody-asked-for');
  });

  it('explains what the token is', async () => {
    const { headers } = await call();
    const explained = await request(scene.app)
      .get(`/api/v1/calls/${headers['legate-call-id']}/explanation`)
      .set('Authorization', `Bearer ${session}`);
    expect(explained.body).toMatchObject({
      ...{ outcome: 'granted', leg: 'idp', rule: 'token_exchanged', method: 'token-exchange' },
      audience_scoped: 'no',
      summary: expect.stringContaining('not for one use, not bound to the hub, and names no agent'),
    });
    const event = (await scene.audited()).find(({ action }) => action === 'tool.called');
    expect(event?.details).toMatchObject({ used_token_exchange: true, audience_scoped: 'no' });
  });

  it('is refused to a caller with a bare ID token, without a request', async () => {
    expect(codeOf(await call(await scene.idTokenOf('user_alice')))).toBe('401 sign_in_required');
    expect(scene.idp.exchanges).toEqual([]);
  });

  it('ends with the sign-out of the user', async () => {
    await call();
    await request(scene.app).delete('/api/v1/tokens').set('Authorization', `Bearer ${session}`);
    scene.clock.advanceSeconds(120);
    session = await openSession();
    expect(codeOf(await call())).toBe(200);
    expect(scene.idp.exchanges).toHaveLength(2);
  });

  it.each<[string, NonNullable<typeof answer>]>([
    ['another user', { claims: { sub: 'user_mallory' } }],
    ['another audience', { claims: { aud: 'api://other' } }],
    ['no audience', { claims: { aud: undefined } }],
    ['another actor', { claims: { act: { sub: 'another-client' } } }],
    ['broader scopes', { body: { scope: 'mcp:tools:read mcp:tools:call admin' } }],
    ['another type', { body: { issued_token_type: `${TYPE}id_token` } }],
  ])('sends no token of %s', async (_case, given) => {
    answer = given;
    expect(codeOf(await call())).toBe('502 connector_misconfigured');
    expect([sentToTools(), scene.logged().includes(issued[0] ?? '?')]).toEqual([[], false]);
    answer = {};
    expect(codeOf(await call())).toBe(200); // nothing was cached
  });

  it.each([
    [{ error: 'access_denied' }, '403 delegation_denied'],
    [{ error: 'invalid_target' }, '403 delegation_denied'],
    [{ error: 'consent_required' }, '403 delegation_denied'],
    [{ error: 'unauthorized_client' }, '502 connector_misconfigured'],
    [{ error: 'invalid_grant' }, '401 sign_in_required'],
  ])('passes the refusal %j on as %s', async (refusal, code) => {
    answer.refusal = refusal;
    expect(codeOf(await call())).toBe(code);
  });

  it('tells an application which claims the identity provider asks for', async () => {
    const claims = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}';
    answer.refusal = { error: 'interaction_required', claims };
    const { body } = await call();
    expect([body.code, body.claims]).toEqual(['sign_in_required', claims]);
    answer = {};
    expect(codeOf(await call())).toBe(200); // the session has not ended
  });
});

it('names the setting of the connector by which the tool server need not list the provider', async () => {
  await begin(exchange());
  scene.toolServer.misbehaviour = { resourceMetadata: 404 };
  const { body } = await call();
  expect([body.code, body.detail]).toEqual([
    'connector_misconfigured',
    expect.stringContaining('set issuer of the connector'),
  ]);
});

it('names the setting of the connector that decides the audience of a token', async () => {
  await begin(exchange({ tokenAudience: 'tools-of-acme' }));
  const { body, headers } = await call();
  expect([body.code, body.detail]).toEqual([
    'connector_misconfigured',
    expect.stringContaining('token_audience of the connector, "tools-of-acme"'),
  ]);
  expect(body.detail).toContain('must set token_audience of the connector to the aud shown');
  expect(await explanationOf(headers['legate-call-id'])).toMatchObject({
    leg: 'idp',
    rule: 'token_audience_mismatch',
    remedy: expect.stringContaining('must set token_audience of the connector'),
  });
  const { token_exchange } = await examine();
  expect(token_exchange.remedy).toContain('must set token_audience of the connector');
});

it.each(['tool-hub', 'https://idp.example'])(
  'asks for no token of the forbidden audience %s',
  async (audience) => {
    await begin(exchange({ audience, tokenAudience: audience }));
    expect(codeOf(await call())).toBe('502 connector_misconfigured');
    expect(scene.idp.exchanges).toEqual([]);
  },
);

describe('with service as the fallback', () => {
  beforeEach(() => begin(exchange(), SERVICE));

  it.each([{ error: 'access_denied' }, { error: 'invalid_grant' }, { error: 'unauthorized_client' }])(
    'sends no key after the refusal %j',
    async (refusal) => {
      answer.refusal = refusal;
      expect((await call()).status).not.toBe(200);
      expect(sentToTools()).toEqual([]);
    },
  );

  it('sends no key for a denied user if the tool server hides who issues its tokens', async () => {
    scene.toolServer.misbehaviour = { resourceMetadata: 404 };
    answer.refusal = { error: 'access_denied' };
    expect(codeOf(await call())).toBe('403 delegation_denied');
    expect(sentToTools()).toEqual([]);
  });

  it('sends the key if the tool server never accepted tokens of the identity provider', async () => {
    scene.toolServer.misbehaviour = { resourceMetadata: 404 };
    await call();
    expect(new Set(sentToTools())).toEqual(new Set(['Bearer the-key-of-the-connector']));
  });

  it('sends no key without an approval once token-exchange has worked', async () => {
    expect(codeOf(await call())).toBe(200);
    scene.toolServer.calls.length = 0;
    scene.toolServer.misbehaviour = { resourceMetadata: 404 };
    await scene.backend.delete('token:org_acme:con_tools:user_alice');
    const approved = { ...scene.connector, fallbackApproval: 'approval-1' };
    const fresh = () => scene.replica({ registry: createConnectorRegistry([scene.connector]) });
    const approvedHub = () => scene.replica({ registry: createConnectorRegistry([approved]) });
    expect(codeOf(await call(session, fresh()))).toBe('403 fallback_not_approved');
    expect(sentToTools()).toEqual([]);
    await call(session, approvedHub());
    expect(new Set(sentToTools())).toEqual(new Set(['Bearer the-key-of-the-connector']));
  });
});

describe('the doctor', () => {
  beforeEach(() => begin(exchange()));

  it('says what the token is', async () => {
    const { token_exchange, id_jag, tools_list, authorization_servers } = await examine();
    expect(token_exchange).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('not for one use, not bound to the hub, and names no agent'),
      evidence: { audience: 'api://tools', audience_scoped: 'no' },
    });
    expect([id_jag.status, tools_list.status, authorization_servers.status]).toEqual([
      'skipped',
      'ok',
      'skipped',
    ]);
  });

  it('finds no fault for a caller who only has an ID token', async () => {
    const { token_exchange, tools_list } = await examine(
      await scene.idTokenOf('user_alice', { roles: ['admin'] }),
    );
    expect([token_exchange, tools_list.status]).toEqual([
      expect.objectContaining({
        status: 'skipped',
        detail: expect.stringContaining('access token of a session'),
      }),
      'skipped',
    ]);
    expect(scene.idp.exchanges).toEqual([]);
  });

  it('says why there is none', async () => {
    answer.refusal = { error: 'invalid_target' };
    expect((await examine()).token_exchange).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('invalid_target: audience api://tools'),
    });
  });

  it('names the same cause as the explanation of a call', async () => {
    answer.refusal = { error: 'consent_required' };
    const callId = (await call()).get('Legate-Call-Id');
    const explanation = await explanationOf(callId);
    const { remedy } = (await examine()).token_exchange;
    expect(remedy).toContain('must grant consent');
    expect(explanation.remedy).toBe(remedy);
  });
});

describe('behind id-jag', () => {
  beforeEach(() => begin(ID_JAG, exchange({ issuer: undefined })));

  it('exchanges no access token for a user who is denied an ID-JAG', async () => {
    scene.toolServer.misbehaviour = {};
    answer.refusal = { error: 'access_denied' };
    expect(codeOf(await call())).toBe('403 delegation_denied');
    expect(scene.idp.exchanges).toHaveLength(1);
  });

  it('is used without a request for an ID-JAG, if the identity provider issues none', async () => {
    expect(codeOf(await call(session, scene.replica({ issuesIdJags: false })))).toBe(200);
    expect(scene.idp.exchanges.map((form) => form.get('requested_token_type'))).toEqual([
      `${TYPE}access_token`,
    ]);
  });
});
