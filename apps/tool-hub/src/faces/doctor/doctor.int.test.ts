import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OAuthPkceSettings } from '@legate/delegation';
import request from 'supertest';
import { createBarrier } from '../../testing/barrier.ts';
import type { IdpMisbehaviour } from '../../testing/fake-idp.ts';
import { startFakeToolServer, type ToolServerMisbehaviour } from '../../testing/fake-tool-server.ts';
import { type Handler, sendJson } from '../../testing/http-server.ts';
import { createScene, type Scene } from '../../testing/scene.ts';

let scene: Scene;
let admin: string;

beforeEach(async () => {
  scene = await createScene();
  admin = await scene.idTokenOf('user_admin', { roles: ['admin'] });
});

afterEach(() => scene.stop());

const examine = (token: string, connectorId = 'con_tools') =>
  request(scene.app).post(`/api/v1/connectors/${connectorId}/doctor`).set('Authorization', `Bearer ${token}`);

type Wire = { check: string; status: string; detail?: string; remedy?: string | null; evidence?: object };
const checkOf = (body: { checks: Wire[] }, name: string) => body.checks.find(({ check }) => check === name);

it('runs every leg of the delegation as the caller, and reports its results', async () => {
  const { status, body } = await examine(admin);
  expect([status, body.connector_id, body.first_fault]).toEqual([200, 'con_tools', null]);
  expect(checkOf(body, 'id_jag')).toEqual({
    check: 'id_jag',
    status: 'ok',
    detail: expect.any(String),
    remedy: null,
    evidence: {
      typ: 'oauth-id-jag+jwt',
      aud: scene.toolServer.resource,
      resource: scene.toolServer.resource,
      scope: 'mcp:tools:read mcp:tools:call',
      exp: expect.any(Number),
    },
  });
  expect(checkOf(body, 'tools_list')).toMatchObject({ status: 'ok', evidence: { tools_on_first_page: 1 } });
});

it('reveals no token, and stores none', async () => {
  const { text } = await examine(admin);
  const tokens = [...scene.idp.issued, ...scene.toolServer.issued];
  expect(tokens.length).toBe(3);
  for (const token of tokens) {
    const [, payload = token, signature = token] = token.split('.');
    expect(text).not.toContain(payload);
    expect(text).not.toContain(signature);
    expect(scene.logged()).not.toContain(payload);
  }
  expect(text).not.toContain('hub-at-server-secret');
  expect([...scene.entries.keys()].filter((key) => key.startsWith('token:'))).toEqual([]);
});

it.each([[undefined], [['member']], [['viewer', 'developer']]])(
  'shows a user with the roles %j only which checks pass',
  async (roles) => {
    scene.toolServer.misbehaviour = { serverMetadata: { grant_types_supported: ['implicit'] } };
    const { status, body } = await examine(await scene.idTokenOf('user_alice', { roles }));
    expect([status, body.status, body.first_fault]).toEqual([
      200,
      'fail',
      { check: 'grant', status: 'fail' },
    ]);
    for (const result of body.checks) expect(Object.keys(result)).toEqual(['check', 'status']);
  },
);

it('finds no connector of another organization', async () => {
  const { status, body } = await examine(admin, 'con_globex_only');
  expect([status, body.code]).toEqual([404, 'connector_not_found']);
});

it('requires an ID token', async () => {
  const { status } = await request(scene.app).post('/api/v1/connectors/con_tools/doctor');
  expect(status).toBe(401);
});

it('allows each user six examinations a minute, whatever other users do', async () => {
  scene.toolServer.misbehaviour = { mcp: (_req, res) => sendJson(res, 404, {}) };
  const statuses: number[] = [];
  for (let i = 0; i < 7; i += 1) statuses.push((await examine(admin)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
  const refused = await examine(admin);
  expect([refused.body.code, Number(refused.get('Retry-After')) > 0]).toEqual(['rate_limit_exceeded', true]);
  expect((await examine(await scene.idTokenOf('user_bob'))).status).toBe(200);
});

it('runs only one examination of a connector at a time, and allows another afterwards', async () => {
  const [beginning, end] = [createBarrier(), createBarrier()];
  scene.toolServer.misbehaviour = {
    mcp: async (_req, res) => {
      beginning.release();
      await end.passed;
      sendJson(res, 404, {});
    },
  };
  const first = examine(admin).then((res) => res.status);
  await beginning.passed;
  const second = await examine(await scene.idTokenOf('user_bob'));
  expect([second.status, second.body.code, second.get('Retry-After')]).toEqual([
    409,
    'examination_running',
    '5',
  ]);
  scene.toolServer.misbehaviour = {};
  end.release();
  expect(await first).toBe(200);
  expect((await examine(admin)).status).toBe(200);
});

const refusing =
  (status: number, error: string): Handler =>
  (_req, res) =>
    sendJson(res, status, { error, error_description: 'words of a peer' });

describe('the dry exchange', () => {
  it.each<[string, IdpMisbehaviour, string, RegExp, RegExp]>([
    [
      'does not know the audience',
      { token: refusing(400, 'invalid_target') },
      'token_exchange',
      /invalid_target/,
      /Register the tool server/,
    ],
    [
      'denies the user',
      { token: refusing(400, 'access_denied') },
      'token_exchange',
      /access_denied/,
      /policy/,
    ],
    [
      "does not know the hub's client",
      { token: refusing(401, 'invalid_client') },
      'token_exchange',
      /invalid_client/,
      /IDP_CLIENT_SECRET/,
    ],
    [
      'is down',
      { token: refusing(503, 'server_error') },
      'token_exchange',
      /status 503/,
      /^Check the log of the server/,
    ],
    [
      'issues for another audience',
      { claims: { aud: 'https://other.example' } },
      'id_jag',
      /aud is not/,
      /audience/,
    ],
    ['issues a token of another type', { typ: 'JWT' }, 'id_jag', /typ is not/, /issue it for audience/],
  ])('names the leg when the identity provider %s', async (_case, misbehaviour, check, detail, remedy) => {
    scene.idp.misbehaviour = misbehaviour;
    const { body, text } = await examine(admin);
    expect(body.first_fault).toMatchObject({
      check,
      detail: expect.stringMatching(detail),
      remedy: expect.stringMatching(remedy),
    });
    expect(checkOf(body, 'redemption')).toMatchObject({ status: 'skipped' });
    expect(scene.toolServer.redemptions).toEqual([]);
    expect(text).not.toContain('words of a peer');
  });

  it.each<[string, ToolServerMisbehaviour, string, RegExp, RegExp]>([
    [
      'does not trust the identity provider',
      { token: refusing(400, 'invalid_grant') },
      'redemption',
      /invalid_grant/,
      /^There, trust the issuer http.* accept http:\/\/127\.0\.0\.1:\d+ as "aud" and the client hub-at-server.* log .* has the reason/,
    ],
    [
      "does not know the hub's client",
      { token: refusing(401, 'invalid_client') },
      'redemption',
      /invalid_client/,
      /the client hub-at-server, that is, its id, its secret and its method \(client_secret_post\)/,
    ],
    [
      'cannot reach the identity provider',
      { token: refusing(503, 'temporarily_unavailable') },
      'redemption',
      /status 503/,
      /^It cannot check the ID-JAG at the moment\. Check that it can read the metadata and keys of http/,
    ],
    [
      'answers with another kind of token',
      { response: { token_type: 'DPoP' } },
      'redemption',
      /not Bearer/,
      /Bearer/,
    ],
    [
      'refuses its own tokens',
      { mcp: (_req, res) => sendJson(res, 401, {}, { 'WWW-Authenticate': 'Bearer' }) },
      'tools_list',
      /has just issued/,
      /accept the issuer/,
    ],
  ])('names the leg when the tool server %s', async (_case, misbehaviour, check, detail, remedy) => {
    scene.toolServer.misbehaviour = misbehaviour;
    const { body } = await examine(admin);
    expect(body.first_fault).toMatchObject({
      check,
      detail: expect.stringMatching(detail),
      remedy: expect.stringMatching(remedy),
    });
  });

  it('does not start with an authorization server on another site until an administrator pins it', async () => {
    const elsewhere = await startFakeToolServer({ clock: () => scene.clock() });
    const lead = () => {
      scene.toolServer.misbehaviour = { resourceMetadata: { authorization_servers: [elsewhere.resource] } };
    };
    try {
      lead();
      const { body } = await examine(admin);
      expect(body.first_fault).toMatchObject({
        check: 'authorization_servers',
        remedy: expect.stringMatching(/^Pin the issuer on the connector: .*, if you trust it/),
      });
      expect(checkOf(body, 'token_exchange')).toMatchObject({ status: 'skipped' });
      expect([scene.idp.exchanges, elsewhere.redemptions]).toEqual([[], []]);

      await scene.stop();
      scene = await createScene({ idJag: { issuer: elsewhere.resource } });
      lead();
      scene.toolServer.recognize = ({ authorization }) => authorization && 'user_admin';
      const pinned = (await examine(await scene.idTokenOf('user_admin', { roles: ['admin'] }))).body;
      expect(pinned.first_fault).toBeNull();
      expect(checkOf(pinned, 'id_jag')).toMatchObject({ evidence: { aud: elsewhere.resource } });
      expect([elsewhere.redemptions.length, scene.toolServer.redemptions]).toEqual([1, []]);
    } finally {
      await elsewhere.stop();
    }
  });

  it('does not start with metadata that a call would reject', async () => {
    scene.toolServer.misbehaviour = { resourceMetadata: { resource: 'https://other.example' } };
    const { body } = await examine(admin);
    expect(body.first_fault.check).toBe('resource_identifier');
    expect(checkOf(body, 'token_exchange')).toMatchObject({ status: 'skipped' });
    expect(scene.idp.exchanges).toEqual([]);
  });
});

it.each<[string, Partial<OAuthPkceSettings>, string[], object | null]>([
  [
    'takes the pinned one',
    { issuer: 'http://127.0.0.1:1' },
    ['http://127.0.0.1:1', 'http://127.0.0.1:2'],
    null,
  ],
  ['takes the only one', {}, ['http://127.0.0.1:1'], null],
  [
    'wants one of several pinned',
    {},
    ['http://127.0.0.1:1', 'http://127.0.0.1:2'],
    { remedy: expect.stringMatching(/^Pin the issuer on the connector/) },
  ],
])('for the authorization servers to which users may be sent %s', async (_case, change, listed, fault) => {
  await scene.stop();
  const settings = {
    method: 'oauth-pkce',
    clientId: 'hub',
    clientAuth: undefined,
    issuer: undefined,
  } as const;
  scene = await createScene({ connector: { methods: [{ ...settings, ...change }] } });
  scene.toolServer.misbehaviour = { resourceMetadata: { authorization_servers: listed } };
  const { body } = await examine(await scene.idTokenOf('user_admin', { roles: ['admin'] }));
  const found = checkOf(body, 'authorization_servers');
  expect(found).toMatchObject(fault ? { status: 'fail', ...fault } : { status: 'ok' });
});

describe('of a connector with connected accounts', () => {
  const CODE_GRANT = {
    authorization_endpoint: 'http://127.0.0.1:1/authorize',
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: ['none'],
  };
  const DOCUMENT = 'http://localhost:4001/oauth/clients/con_tools.json';

  async function examineWith(
    serverMetadata: Record<string, unknown>,
    { clientId, publicUrl = 'http://localhost:4001' }: { clientId?: string; publicUrl?: string } = {},
  ) {
    await scene.stop();
    const settings = { method: 'oauth-pkce', clientId, clientAuth: undefined, issuer: undefined } as const;
    scene = await createScene({ connector: { methods: [settings] }, app: { publicUrl } });
    scene.toolServer.misbehaviour = { serverMetadata: { ...CODE_GRANT, ...serverMetadata } };
    return (await examine(await scene.idTokenOf('user_admin', { roles: ['admin'] }))).body;
  }

  it('accepts the grant if the hub identifies itself by its document, which the report names', async () => {
    const body = await examineWith({});
    expect(checkOf(body, 'grant')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining(DOCUMENT),
      evidence: { client_id: DOCUMENT, client_id_metadata_document_supported: 'true' },
    });
    expect(checkOf(body, 'client_authentication')).toMatchObject({ status: 'ok' });
  });

  it('accepts the grant with a registered client, whether documents are supported or not', async () => {
    const body = await examineWith(
      { client_id_metadata_document_supported: undefined },
      { clientId: 'hub', publicUrl: 'http://hub.example' },
    );
    expect(checkOf(body, 'grant')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/registered/),
    });
  });

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    [
      'it does not say that it takes documents',
      { client_id_metadata_document_supported: undefined },
      'http://localhost:4001',
      /^Register a client there and set its client_id on the connector/,
    ],
    ['the hub has no address that could be a client_id', {}, 'http://hub.example', /https PUBLIC_URL/],
    ['it has no PKCE', { code_challenge_methods_supported: ['plain'] }, 'http://localhost:4001', /Add S256/],
    ['it has no code grant', { grant_types_supported: ['implicit'] }, 'http://localhost:4001', /Offer it/],
    [
      'its metadata is malformed',
      { code_challenge_methods_supported: 'S256' },
      'http://localhost:4001',
      /this member the type/,
    ],
  ])('reports the grant as the first fault if %s', async (_case, serverMetadata, publicUrl, remedy) => {
    const body = await examineWith(serverMetadata, { publicUrl });
    expect(body.first_fault).toMatchObject({ check: 'grant', remedy: expect.stringMatching(remedy) });
  });

  it('warns of a token endpoint that requires a secret of every client', async () => {
    const body = await examineWith({ token_endpoint_auth_methods_supported: ['client_secret_basic'] });
    expect(checkOf(body, 'client_authentication')).toMatchObject({ status: 'warn' });
  });
});

it('examines a connector with an API key without requesting metadata or tokens', async () => {
  await scene.stop();
  const key = { kind: 'api_key', header: 'x-api-key', value: 'key-of-the-hub' } as const;
  scene = await createScene({ connector: { methods: [{ method: 'service', key }] } });
  scene.toolServer.misbehaviour = {
    mcp: (req, res, body) =>
      req.headers['x-api-key'] === key.value
        ? sendJson(res, 200, {
            jsonrpc: '2.0',
            id: JSON.parse(body).id,
            result: { resultType: 'complete', tools: [] },
          })
        : sendJson(res, 403, {}),
  };
  const { body, text } = await examine(await scene.idTokenOf('user_owner', { roles: ['owner'] }));
  expect([body.status, body.first_fault]).toEqual(['ok', null]);
  expect(checkOf(body, 'tools_list')).toMatchObject({ status: 'ok' });
  expect(scene.toolServer.metadataReads).toEqual([]);
  expect(scene.idp.exchanges).toEqual([]);
  expect(text).not.toContain(key.value);
});
