import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findKind } from '@legate/identity-providers';
import { AgentId, ConnectorId } from '@legate/ids';
import request from 'supertest';
import type { Connector } from '../../domain/connector.ts';
import { organizationConnectors } from '../../domain/connector-set.ts';
import { createConnectorRegistry } from '../../domain/registry.ts';
import {
  type ConnectScene,
  createConnectScene,
  HUB,
  RETURN_TO,
  type TestBrowser,
} from '../../testing/connect-scene.ts';
import { sendJson } from '../../testing/http-server.ts';

let scene: ConnectScene;
let alice: string;
beforeEach(async () => {
  scene = await createConnectScene();
  alice = await scene.idTokenOf('user_alice');
});
afterEach(() => scene.stop());

type Authorization = Record<string, string | undefined>;
const newBrowser = (signedInAs = 'user_alice'): TestBrowser => ({ cookie: '', signedInAs });
const titleOf = (html: string) => /<h1>(.*)<\/h1>/.exec(html)?.[1];

async function begin(body: object = {}): Promise<string> {
  const begun = await scene.api('post', alice).send(body);
  expect(begun.status).toBe(201);
  return begun.body.authorize_url;
}

describe('a user whose sub differs for each client', () => {
  const inHub = (oid: string): TestBrowser => ({ cookie: '', signedInAs: 'pairwise-hub', claims: { oid } });
  beforeEach(async () => {
    await scene.stop();
    scene = await createConnectScene({ app: { kind: findKind('entra') } });
    alice = await scene.idTokenOf('pairwise-app', { oid: '7d31-alice' });
  });

  it('connects an account with another sub than that of the application', async () => {
    const there = await scene.openLink(inHub('7d31-alice'), await begin());
    expect(there).toMatch(scene.external.issuer);
  });

  it('cannot connect an account of somebody else with the same sub', async () => {
    const browser = inHub('7d31-bob');
    const opened = await scene.visit(browser, await begin());
    const answer = await scene.visit(browser, scene.signIn(browser, opened.headers.location ?? ''));
    expect([answer.status, answer.headers.location]).toEqual([403, undefined]);
  });
});

describe('a user', () => {
  it('connects an account, and tools are then called with it', async () => {
    const refused = await scene.call(alice);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      code: 'connection_required',
      connector_id: 'con_notes',
      connect_at: '/api/v1/connectors/con_notes/connections',
      connect_page: '/connect/con_notes',
    });

    const done = await scene.connect(alice, 'user_alice', { return_to: RETURN_TO });
    expect([done.status, done.headers.location]).toEqual([
      303,
      `${RETURN_TO}&connector_id=con_notes&connected=true`,
    ]);

    const called = await scene.call(alice);
    expect([called.status, called.body.content[0].text]).toEqual([200, 'account_there']);
    expect((await scene.call(alice)).headers['legate-token-cache']).toBe('hit');
    const [asked] = scene.external.authorizations;
    expect(Object.fromEntries(asked ?? [])).toMatchObject({
      client_id: 'hub-at-notes',
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${HUB}/oauth/callback/con_notes`,
      resource: scene.external.resource,
      scope: 'notes:read',
    });
    const [redeemed] = scene.external.tokenRequests;
    expect(redeemed?.authorization).toBeUndefined();
    expect(Object.fromEntries(redeemed?.form ?? [])).toMatchObject({
      client_id: 'hub-at-notes',
      resource: scene.external.resource,
    });
  });

  it('sees whether an account is connected, with which scopes and until when, and gets no token', async () => {
    expect((await scene.api('get', alice)).body).toEqual({ connected: false, scopes: [], expires_at: null });
    const done = await scene.connect(alice, 'user_alice');
    expect([done.status, titleOf(done.text)]).toEqual([200, 'You are connected']);
    expect((await scene.api('get', alice)).body).toEqual({
      connected: true,
      scopes: ['notes:read'],
      expires_at: '2026-08-31T12:00:00.000Z',
    });
    const bob = await scene.idTokenOf('user_bob');
    expect((await scene.api('get', bob)).body.connected).toBe(false);
    expect((await scene.call(bob)).body.code).toBe('connection_required');
  });

  it('disconnects, at the hub at once and also at the authorization server', async () => {
    await scene.connect(alice, 'user_alice');
    expect((await scene.call(alice)).status).toBe(200);
    expect((await scene.api('delete', alice)).status).toBe(204);
    expect((await scene.call(alice)).body.code).toBe('connection_required');
    const revoked = scene.external.revocations.map((form) => form.get('token_type_hint'));
    expect(revoked).toEqual(['refresh_token', 'access_token']);
    expect((await scene.api('delete', alice)).status).toBe(204);
  });

  it('disconnects even while the authorization server is down', async () => {
    await scene.connect(alice, 'user_alice');
    await scene.external.stop();
    expect((await scene.api('delete', alice)).status).toBe(204);
    expect((await scene.api('get', alice)).body.connected).toBe(false);
  });

  it('stays connected after a sign-out from the application', async () => {
    await scene.connect(alice, 'user_alice');
    expect((await scene.call(alice)).headers['legate-token-cache']).toBe('miss');
    await request(scene.app).delete('/api/v1/tokens').set('Authorization', `Bearer ${alice}`).expect(204);
    const again = await scene.call(await scene.idTokenOf('user_alice', { jti: 'of-a-later-sign-in' }));
    expect([again.status, again.headers['legate-token-cache']]).toEqual([200, 'miss']);
  });

  it('who declines consent is redirected back, and is not connected', async () => {
    scene.external.misbehaviour = { authorization: { code: undefined, error: 'access_denied' } };
    const done = await scene.connect(alice, 'user_alice', { return_to: RETURN_TO });
    expect([done.status, done.headers.location]).toEqual([
      303,
      `${RETURN_TO}&connector_id=con_notes&connected=false`,
    ]);
    expect((await scene.api('get', alice)).body.connected).toBe(false);
  });

  it('who consents to fewer scopes gets only those', async () => {
    scene.external.consent = ['notes:read'];
    await scene.connect(alice, 'user_alice', { scopes: ['notes:write'] });
    expect(scene.external.authorizations[0]?.get('scope')).toBe('notes:read notes:write');
    expect((await scene.api('get', alice)).body.scopes).toEqual(['notes:read']);
  });
});

it('sees which scopes are missing, and is asked for them only when the application requests it', async () => {
  await scene.connect(alice, 'user_alice');
  scene.external.requiredScopes.set('whoami', ['notes:write']);
  const refused = await scene.call(alice);
  expect([refused.status, refused.body.code, refused.body.required_scope]).toEqual([
    403,
    'connection_required',
    'notes:read notes:write',
  ]);
  expect(scene.external.authorizations).toHaveLength(1);
  expect((await scene.api('get', alice)).body.connected).toBe(true);

  await scene.connect(alice, 'user_alice', { scopes: refused.body.required_scope.split(' ') });
  expect((await scene.call(alice)).status).toBe(200);
});

it('requests offline_access if the authorization server supports it', async () => {
  scene.external.misbehaviour = { serverMetadata: { scopes_supported: ['notes:read', 'offline_access'] } };
  await scene.connect(alice, 'user_alice');
  expect(scene.external.authorizations[0]?.get('scope')).toBe('notes:read offline_access');
});

it('can be asked for the scopes of the connector, which need not include offline_access, and for no others', async () => {
  const statusOf = async (...scopes: string[]) => {
    const { status, body } = await scene.api('post', alice).send({ scopes });
    return [status, body.code, body.required_scope];
  };
  expect(await statusOf('notes:write', 'offline_access')).toEqual([201, undefined, undefined]);
  expect(await statusOf('notes:write', 'admin')).toEqual([403, 'delegation_denied', 'notes:write admin']);
});

it('can be asked for any scopes if the connector has none', async () => {
  await scene.stop();
  scene = await createConnectScene({
    connectorOf: (connector) => ({ ...connector, scopes: [], stepUpScopes: [] }),
  });
  const begun = await scene
    .api('post', await scene.idTokenOf('user_alice'))
    .send({ scopes: ['notes:write'] });
  expect(begun.status).toBe(201);
});

describe('a link', () => {
  it('does not lead to a connector that has been removed meanwhile', async () => {
    let isThere = true;
    await scene.stop();
    scene = await createConnectScene({
      app: {
        registry: {
          of: async () =>
            organizationConnectors(
              new Map(isThere ? [['con_notes', scene.externalConnector]] : []),
              new Map(),
              [],
            ),
          forget: () => undefined,
          recheckOne: () => undefined,
        },
      },
    });
    const begun = await scene.api('post', await scene.idTokenOf('user_alice')).send({});
    const browser = newBrowser();
    const opened = await scene.visit(browser, begun.body.authorize_url);
    isThere = false;
    const refused = await scene.visit(browser, scene.signIn(browser, opened.get('Location') ?? ''));
    expect([refused.status, titleOf(refused.text)]).toEqual([403, 'This can no longer be connected']);
  });

  it('does not work for another user, whose account would be connected to the sender of the link', async () => {
    const link = await begin();
    const victim = newBrowser('user_victim');
    const opened = await scene.visit(victim, link);
    const refused = await scene.visit(victim, scene.signIn(victim, opened.headers.location ?? ''));
    expect([refused.status, titleOf(refused.text)]).toEqual([403, 'This link is for somebody else']);
    expect(scene.external.authorizations).toHaveLength(0);
    expect(await scene.openLink(newBrowser(), link)).toBe(''); // used up by the first attempt
  });

  it('works only once', async () => {
    const link = await begin();
    expect(await scene.openLink(newBrowser(), link)).toContain(scene.external.issuer);
    expect(await scene.openLink(newBrowser(), link)).toBe('');
  });

  it('is refused if the identity provider redirects a second time, or with a state that was never issued', async () => {
    const browser = newBrowser();
    const opened = await scene.visit(browser, await begin());
    const signedIn = scene.signIn(browser, opened.get('Location') ?? '');
    expect((await scene.visit(browser, signedIn)).status).toBe(302);
    for (const url of [signedIn, signedIn.replace(/state=.*/, 'state=made-up')]) {
      const refused = await scene.visit(browser, url);
      expect([refused.status, titleOf(refused.text)]).toEqual([400, 'You started this in another browser']);
    }
  });

  it('is not used up by a preview', async () => {
    const link = await begin();
    expect((await scene.visit(newBrowser(), link)).status).toBe(302);
    expect(await scene.openLink(newBrowser(), link)).toContain(scene.external.issuer);
  });

  it.each([
    ['of another connector', (link: string) => link.replace('con_notes', 'con_other')],
    ['that was made up', (link: string) => `${link.slice(0, -3)}abc`],
    ['without a ticket', (link: string) => link.split('?')[0] ?? ''],
    ['with two tickets', (link: string) => `${link}&ticket=1`],
  ])('%s is refused', async (_case, change) => {
    const opened = await scene.visit(newBrowser(), change(await begin()));
    expect([opened.status, titleOf(opened.text)]).toEqual([400, 'This link is no longer valid']);
  });

  it('works only for two minutes', async () => {
    const link = await begin();
    scene.clock.advanceSeconds(120);
    expect((await scene.visit(newBrowser(), link)).status).toBe(400);
  });

  it('can be opened five times, and each time stores an entry without the ticket', async () => {
    const scopes = Array.from({ length: 50 }, (_, number) => `notes:${number}:${'x'.repeat(28)}`);
    const wide = await createConnectScene({
      connectorOf: (connector) => ({ ...connector, stepUpScopes: scopes }),
    });
    const token = await wide.idTokenOf('user_alice');
    const { authorize_url: link } = (await wide.api('post', token).send({ scopes })).body;
    const before = new Set(wide.entries.keys());
    const statuses = [];
    for (let i = 0; i < 7; i += 1) statuses.push((await wide.visit(newBrowser(), link)).status);
    expect(statuses).toEqual([302, 302, 302, 302, 302, 400, 400]);
    const added = [...wide.entries].filter(([name]) => !before.has(name));
    await wide.stop();
    expect(added).toHaveLength(10);
    for (const [, { value }] of added) expect(value.length).toBeLessThan(600);
  });

  it('that was opened in time can be completed after it has expired', async () => {
    const browser = newBrowser();
    const opened = await scene.visit(browser, await begin());
    scene.clock.advanceSeconds(500);
    const location = opened.get('Location') ?? '';
    expect((await scene.visit(browser, scene.signIn(browser, location))).status).toBe(302);
  });

  it.each([
    ['more than 50 scopes', Array.from({ length: 51 }, (_, number) => `s${number}`)],
    ['scopes of more than 2 KiB', Array.from({ length: 10 }, (_, number) => `${number}${'x'.repeat(220)}`)],
  ])('is not created for %s', async (_case, scopes) => {
    const refused = await scene.api('post', alice).send({ scopes });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/scopes']);
  });

  it.each([
    ['an unknown page', { return_to: 'https://app.example/connected' }, '/return_to'],
    ['a malformed scope', { scopes: ['a b'] }, '/scopes/0'],
    ['an unknown member', { user_id: 'user_bob' }, '/user_id'],
  ])('is not created for %s', async (_case, body, pointer) => {
    const refused = await scene.api('post', alice).send(body);
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
      400,
      'validation_failed',
      pointer,
    ]);
  });

  it('is not created without authentication', async () => {
    expect((await scene.api('post', 'not-a-token').send({})).status).toBe(401);
  });
});

describe('a response of an authorization server', () => {
  async function answer(browser = newBrowser()): Promise<string> {
    return scene.external.authorize(await scene.openLink(browser, await begin()));
  }
  const isConnected = async () => (await scene.api('get', alice)).body.connected;

  it('is accepted only once', async () => {
    const browser = newBrowser();
    const url = await answer(browser);
    expect((await scene.visit(browser, url)).status).toBe(200);
    const again = await scene.visit(browser, url);
    expect([again.status, titleOf(again.text)]).toEqual([400, 'You started this in another browser']);
    expect(scene.external.tokenRequests).toHaveLength(1);
  });

  it('is accepted only in the browser that was redirected there', async () => {
    const url = await answer();
    for (const browser of [newBrowser(), { cookie: 'legate-connect=x', signedInAs: 'user_alice' }])
      expect((await scene.visit(browser, url)).status).toBe(400);
    expect(scene.external.tokenRequests).toHaveLength(0);
  });

  it("with another user's code is worthless: PKCE binds it to the flow", async () => {
    const [own, other] = [newBrowser(), newBrowser()];
    const [url, stolen] = [new URL(await answer(own)), new URL(await answer(other))];
    url.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect((await scene.visit(own, url.href)).status).toBe(400);
    expect(await isConnected()).toBe(false);
  });

  it('that arrives at the redirect URI of another connector is refused, and its code is not sent', async () => {
    const browser = newBrowser();
    const url = (await answer(browser)).replace('/callback/con_notes', '/callback/con_other');
    expect((await scene.visit(browser, url)).status).toBe(502);
    expect(scene.external.tokenRequests).toHaveLength(0);
  });

  it.each([
    ['the iss of another server', { iss: 'https://honest.example' }],
    ['no iss, although its metadata declares one', { iss: undefined }],
    ['its own iss with a slash', { iss: '{issuer}/' }],
    ['no code', { code: undefined }],
  ])('with %s is refused before its code is sent anywhere', async (_case, authorization: Authorization) => {
    const iss = authorization.iss?.replace('{issuer}', scene.external.issuer);
    scene.external.misbehaviour = { authorization: 'iss' in authorization ? { iss } : authorization };
    const done = await scene.connect(alice, 'user_alice');
    expect([done.status, titleOf(done.text)]).toEqual([502, 'This cannot be connected']);
    expect(scene.external.tokenRequests).toHaveLength(0);
    expect(await isConnected()).toBe(false);
  });

  it.each([
    [
      'a token_type that is not Bearer',
      { token_type: 'DPoP' },
      'token_type is not Bearer, but &quot;dpop&quot;',
    ],
    ['an unknown token_type', { token_type: 'mac' }, 'token_type'],
    ['a broader scope', { scope: 'notes:read admin' }, '&quot;admin&quot;'],
    ['a token for another resource', { resource: 'https://other.example' }, 'https://other.example'],
    ['a malformed access token', { access_token: 'a\r\nX-Evil: 1' }, 'access_token'],
  ])(
    'is refused if the token endpoint returns %s, with a page that explains it',
    async (_case, response, fact) => {
      scene.external.misbehaviour = { response };
      const { status, text } = await scene.connect(alice, 'user_alice');
      expect([status, text]).toEqual([502, expect.stringContaining(fact)]);
      expect(text).not.toContain('X-Evil');
      expect(await isConnected()).toBe(false);
    },
  );

  it('leads to the revocation of tokens that may not be stored', async () => {
    scene.external.misbehaviour = { response: { scope: 'notes:read admin' } };
    await scene.connect(alice, 'user_alice');
    expect(scene.external.revocations).toHaveLength(2);
  });

  it('does not make the hub follow a redirect of the token endpoint, or send the code there', async () => {
    scene.external.misbehaviour = {
      token: (_req, res) => res.writeHead(307, { Location: `${scene.external.issuer}/elsewhere` }).end(),
    };
    expect((await scene.connect(alice, 'user_alice')).status).toBe(502);
    expect(scene.external.tokenRequests).toHaveLength(1);
  });

  it('does not show its text to the user', async () => {
    scene.external.misbehaviour = {
      authorization: {
        code: undefined,
        error: 'server_error',
        error_description: '<script>alert(1)</script>',
      },
    };
    const done = await scene.connect(alice, 'user_alice');
    expect(done.text).not.toContain('script');
    expect(done.headers['content-security-policy']).toContain("default-src 'none'");
    expect(done.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(done.headers['referrer-policy']).toBe('no-referrer');
    expect(done.headers['cache-control']).toBe('no-store');
  });

  it('is ignored if the connector was revoked during the consent', async () => {
    const browser = newBrowser();
    const url = await answer(browser);
    await scene.api('delete', alice);
    const done = await scene.visit(browser, url);
    expect([done.status, titleOf(done.text)]).toEqual([403, 'This can no longer be connected']);
    expect(await isConnected()).toBe(false);
    expect(scene.external.revocations).toHaveLength(2);
  });
});

describe('an authorization server', () => {
  it.each([
    ['no PKCE', { code_challenge_methods_supported: undefined }],
    ['plain PKCE only', { code_challenge_methods_supported: ['plain'] }],
    ['no code grant', { grant_types_supported: ['client_credentials'] }],
    ['no authorization endpoint', { authorization_endpoint: undefined }],
    ['another issuer in its metadata', { issuer: 'https://honest.example' }],
    ['a script as authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('with %s is not used, and no link is created', async (_case, serverMetadata) => {
    scene.external.misbehaviour = { serverMetadata };
    const begun = await scene.api('post', alice).send({});
    expect([begun.status, begun.body.code]).toEqual([502, 'connector_misconfigured']);
    expect((await scene.call(alice)).body.code).toBe('connector_misconfigured');
  });

  it('is not chosen among several that the tool server lists at other origins', async () => {
    const { issuer } = scene.external;
    scene.external.misbehaviour = {
      resourceMetadata: { authorization_servers: ['https://evil.example', issuer] },
    };
    expect((await scene.api('post', alice).send({})).status).toBe(502);
  });

  it('that is down is an outage, not a refusal', async () => {
    await scene.external.stop();
    expect((await scene.api('post', alice).send({})).body.code).toBe('tool_server_unavailable');
    expect((await scene.call(alice)).body.code).toBe('tool_server_unavailable');
  });

  it('is not used without knowing who signs in at the identity provider', async () => {
    scene.idp.misbehaviour.token = (_req, res) => sendJson(res, 400, { error: 'invalid_grant' });
    expect(await scene.openLink(newBrowser(), await begin())).toBe('');
  });
});

it('shows a page even if the store cannot be reached', async () => {
  let isDown = false;
  const broken = await createConnectScene({
    backend: (memory) => ({
      ...memory,
      get: (key) => (isDown ? Promise.reject(new Error('down')) : memory.get(key)),
    }),
  });
  const link = (await broken.api('post', await broken.idTokenOf('user_alice'))).body.authorize_url;
  isDown = true;
  const opened = await broken.visit(newBrowser(), link);
  expect([opened.status, titleOf(opened.text)]).toEqual([503, 'Currently unavailable']);
  await broken.stop();
});

it('tells an agent at /mcp where its application lets the user connect', async () => {
  const answer = await request(scene.app)
    .post('/mcp/con_notes')
    .set({
      Authorization: `Bearer ${alice}`,
      Host: 'hub.test',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
    })
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } });
  expect(answer.body.result).toMatchObject({
    isError: true,
    _meta: {
      'legate/problem': {
        code: 'connection_required',
        connector_id: 'con_notes',
        connect_at: '/api/v1/connectors/con_notes/connections',
        connect_page: '/connect/con_notes',
      },
    },
  });
});

describe('an agent with fewer scopes', () => {
  const agents = { 'Legate-Agent-Id': 'agt_reader' };
  it('has its own connection, limited to these', async () => {
    const bound = await createConnectScene({
      app: {
        registry: {
          of: async () =>
            organizationConnectors(
              new Map([['con_notes', { ...bound.externalConnector, scopes: ['notes:read', 'notes:write'] }]]),
              new Map(),
              [
                {
                  id: AgentId.parse('agt_reader'),
                  isActive: true,
                  bindings: [
                    { connectorId: ConnectorId.parse('con_notes'), scopes: ['notes:read'], tools: undefined },
                  ],
                },
              ],
            ),
          forget: () => undefined,
          recheckOne: () => undefined,
        },
      },
    });
    const token = await bound.idTokenOf('user_alice');
    await bound.connect(token, 'user_alice');
    expect((await bound.call(token)).status).toBe(200);
    expect((await bound.call(token, { headers: agents })).body.code).toBe('connection_required');
    const wider = await bound.api('post', token, { headers: agents }).send({ scopes: ['notes:write'] });
    expect([wider.status, wider.body.code]).toEqual([403, 'delegation_denied']);

    const begun = await bound.api('post', token, { headers: agents }).send({});
    const browser = newBrowser();
    const there = await bound.openLink(browser, begun.body.authorize_url);
    await bound.visit(browser, bound.external.authorize(there));
    expect(bound.external.authorizations.at(-1)?.get('scope')).toBe('notes:read');
    expect((await bound.call(token, { headers: agents })).status).toBe(200);

    await bound.api('delete', token);
    expect((await bound.call(token, { headers: agents })).body.code).toBe('connection_required');
    await bound.stop();
  });
});

it('authenticates a client that has a secret, and sends it to no authorization server that is not pinned', async () => {
  const clientAuth = { method: 'client_secret_post', clientSecret: 'notes-secret' } as const;
  const withSecret = (issuer: string | undefined) => (connector: Connector) => ({
    ...connector,
    methods: [{ method: 'oauth-pkce', clientId: 'hub-at-notes', clientAuth, issuer }] as const,
  });
  const unpinned = await createConnectScene({ connectorOf: withSecret(undefined) });
  const token = await unpinned.idTokenOf('user_alice');
  expect((await unpinned.api('post', token)).body.code).toBe('connector_misconfigured');
  const issuer = unpinned.external.issuer;
  const pinned = createConnectorRegistry([withSecret(issuer)(unpinned.externalConnector)]);
  const app = unpinned.replica({ registry: pinned });
  expect((await unpinned.api('post', token, { app })).status).toBe(201);
  await unpinned.stop();
});

it('serves as fallback for ID-JAGs that a pinned authorization server elsewhere does not redeem, and for no others', async () => {
  const clientAuth = { method: 'client_secret_post', clientSecret: 'notes-secret' } as const;
  const withFallback = (issuer: string | undefined) => (connector: Connector) => {
    const client = { clientId: 'hub-at-notes', clientAuth, issuer };
    const methods = [
      { method: 'id-jag', audience: undefined, ...client },
      { method: 'oauth-pkce', ...client },
    ] as const;
    return { ...connector, methods };
  };
  const unpinned = await createConnectScene({ connectorOf: withFallback(undefined) });
  const token = await unpinned.idTokenOf('user_alice');
  expect((await unpinned.call(token)).body.code).toBe('connector_misconfigured');
  const { issuer } = unpinned.external;
  const pinned = createConnectorRegistry([withFallback(issuer)(unpinned.externalConnector)]);
  const app = unpinned.replica({ registry: pinned });
  expect((await unpinned.call(token, { app })).body.code).toBe('connection_required');
  await unpinned.stop();
});
