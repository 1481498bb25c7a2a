import { afterEach, describe, expect, it } from '@jest/globals';
import type { IdJagSettings } from '@legate/delegation';
import { createTestClock } from '@legate/service/testing';
import type { Express } from 'express';
import request from 'supertest';
import { createConnectorRegistry } from './domain/registry.ts';
import { createConnectScene } from './testing/connect-scene.ts';
import type { IdpMisbehaviour } from './testing/fake-idp.ts';
import { startFakeToolServer, type ToolServerMisbehaviour } from './testing/fake-tool-server.ts';
import { type Handler, sendJson } from './testing/http-server.ts';
import { createScene, ID_JAG, type Scene, type SceneOptions } from './testing/scene.ts';

let scene: Scene;
afterEach(() => scene.stop());

async function call(options: SceneOptions = {}, arrange: (scene: Scene) => void = () => {}) {
  scene = await createScene(options);
  arrange(scene);
  return callAgain();
}

const callAgain = () => callAt(scene.app);
const callAt = async (app: Express) =>
  request(app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set('Authorization', `Bearer ${await scene.idTokenOf('user_alice')}`)
    .send({});

const answerWith =
  (status: number, body: object, headers: Record<string, string> = {}): Handler =>
  (_req, res) =>
    sendJson(res, status, body, headers);

describe("the identity provider's response", () => {
  it.each<[string, IdpMisbehaviour]>([
    ['an ID-JAG of the wrong type', { typ: 'JWT' }],
    ['an ID-JAG for another audience', { claims: { aud: 'https://other.example' } }],
    ['an ID-JAG for another resource', { claims: { resource: 'https://other.example' } }],
    ['an ID-JAG for another client', { claims: { client_id: 'other' } }],
    [
      'an ID-JAG about another user',
      { claims: { sub: 'user_bob' }, metadata: { subject_types_supported: ['public'] } },
    ],
    ['an ID-JAG of another issuer', { claims: { iss: 'https://other.example' } }],
    ['an ID-JAG that is about to end', { claims: { exp: 1_785_585_629 } }],
    ['an ID-JAG with broader scope', { claims: { scope: 'mcp:tools:read admin' } }],
    ['an access token', { response: { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' } }],
    ['an ID-JAG that is bound to a key', { claims: { cnf: { jkt: 'abc' } } }],
    ['an ID-JAG of another client as the actor', { claims: { act: { sub: 'another-client' } } }],
    ['an ID-JAG of another tenant', { claims: { tenant: 'org_globex' } }],
    ['an ID-JAG whose scope is not that of the response', { response: { scope: 'mcp:tools:read' } }],
    ['a token bound to a key', { response: { token_type: 'DPoP' } }],
    ['no token', { response: { access_token: undefined } }],
    ['a token that is no string', { response: { access_token: { a: 1 } } }],
    ['a page', { token: (_req, res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>') }],
    ['a redirect', { token: (_req, res) => res.writeHead(307, { Location: '/elsewhere' }).end() }],
    ['a flood', { token: (_req, res) => res.writeHead(200).end('a'.repeat(200_000)) }],
    [
      'a refusal of our client',
      { token: answerWith(401, { error: 'invalid_client' }, { 'WWW-Authenticate': 'Basic' }) },
    ],
    ['a refusal of our grant', { token: answerWith(400, { error: 'unauthorized_client' }) }],
    ['metadata without a token endpoint', { metadata: { token_endpoint: undefined } }],
  ])('%s ends the delegation before the tool server is called', async (_case, misbehaviour) => {
    const res = await call({}, ({ idp }) => {
      idp.misbehaviour = misbehaviour;
    });
    expect([res.status, res.body.code]).toEqual([502, 'connector_misconfigured']);
    expect(scene.toolServer.redemptions).toEqual([]);
    expect(scene.entries.size).toBe(0);
  });

  it('may contain a different user id for the tool server, if its subjects are pairwise', async () => {
    const res = await call({}, ({ idp }) => {
      idp.misbehaviour = {
        claims: { sub: 'pairwise-of-alice' },
        metadata: { subject_types_supported: ['public', 'pairwise'] },
      };
    });
    expect([res.status, res.body.content?.[0].text]).toEqual([200, 'pairwise-of-alice']);
  });

  it('is not requested if the metadata has a different issuer now', async () => {
    scene = await createScene();
    const token = await scene.idTokenOf('user_alice');
    await request(scene.app).get('/api/v1/connectors').set('Authorization', `Bearer ${token}`);
    scene.idp.misbehaviour = { metadata: { issuer: 'https://other.example' } };
    const res = await callAgain();
    expect([res.status, res.body.code, scene.idp.exchanges]).toEqual([502, 'connector_misconfigured', []]);
  });

  it.each([
    [400, { error: 'invalid_grant' }],
    [400, { error: 'invalid_request', error_description: 'subject_token' }],
    [401, { error: 'insufficient_user_authentication', max_age: 300, acr_values: 'urn:mfa' }],
  ])('with %i %j asks the user to sign in again', async (status, body) => {
    const res = await call({}, ({ idp }) => {
      idp.misbehaviour = { token: answerWith(status, body) };
    });
    expect([res.status, res.body.code]).toEqual([401, 'sign_in_required']);
    expect(res.get('WWW-Authenticate')).toBe('Bearer realm="tool-hub", error="invalid_token"');
    const { max_age, acr_values } = body as { max_age?: number; acr_values?: string };
    expect([res.body.max_age, res.body.acr_values]).toEqual([max_age, acr_values]);
  });

  it.each([['access_denied'], ['invalid_target'], ['invalid_scope']])(
    'with %s is final: reported with connector and scopes, and not retried, not even with another method',
    async (error) => {
      const res = await call({}, ({ idp }) => {
        idp.misbehaviour = {
          token: answerWith(400, { error, error_description: 'internal: group=contractors' }),
        };
      });
      expect(res.status).toBe(403);
      expect(res.body).toMatchObject({
        code: 'delegation_denied',
        connector_id: 'con_tools',
        required_scope: 'mcp:tools:read mcp:tools:call',
      });
      expect(res.text).not.toContain('contractors');
      expect(scene.idp.exchanges.length).toBe(1);
      expect(scene.toolServer.redemptions).toEqual([]);
    },
  );

  it.each([[500], [502], [503]])('with %i is retried once, then reported as an outage', async (status) => {
    const res = await call({}, ({ idp }) => {
      idp.misbehaviour = { token: answerWith(status, { error: 'invalid_grant' }) };
    });
    expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([503, 'idp_unavailable', '5']);
    expect(scene.idp.exchanges.length).toBe(2);
  });

  it('with 429 is not retried', async () => {
    const res = await call({}, ({ idp }) => {
      idp.misbehaviour = { token: answerWith(429, {}) };
    });
    expect([res.status, res.body.code, scene.idp.exchanges.length]).toEqual([503, 'idp_unavailable', 1]);
  });

  it('may narrow the scopes, which are then stored with the cached token', async () => {
    const res = await call({}, ({ idp }) => {
      idp.policy = ['mcp:tools:read'];
    });
    expect(res.status).toBe(200);
    expect((await callAgain()).get('Legate-Token-Cache')).toBe('hit');
  });
});

describe("the authorization server's response", () => {
  it.each<[string, ToolServerMisbehaviour]>([
    ['a token bound to a key', { response: { token_type: 'DPoP' } }],
    ['a token that is not applicable', { response: { token_type: 'N_A' } }],
    ['broader scope than the assertion', { response: { scope: 'mcp:tools:read admin' } }],
    ['a token for another resource', { response: { resource: 'https://other.example' } }],
    ['a token that would end the header', { response: { access_token: 'a\r\nb' } }],
    ['a refusal of the assertion', { token: answerWith(400, { error: 'invalid_grant' }) }],
    ['a refusal of our client', { token: answerWith(401, { error: 'invalid_client' }) }],
    ['a grant that it does not know', { token: answerWith(400, { error: 'unsupported_grant_type' }) }],
    ['a redirect', { token: (_req, res) => res.writeHead(302, { Location: '/elsewhere' }).end() }],
    ['a flood', { token: (_req, res) => res.writeHead(200).end('a'.repeat(200_000)) }],
  ])('%s ends the delegation before a tool is called', async (_case, misbehaviour) => {
    const res = await call({}, ({ toolServer }) => {
      toolServer.misbehaviour = misbehaviour;
    });
    expect([res.status, res.body.code]).toEqual([502, 'connector_misconfigured']);
    expect([scene.toolServer.calls, scene.toolServer.redemptions.length]).toEqual([[], 1]);
    expect(scene.entries.size).toBe(0);
  });

  it.each([
    ['invalid_request', /"resource"/],
    ['invalid_target', /resource of the connector/],
    ['invalid_grant', /trusts.*clock/],
  ])('%s ends the delegation with a hint, and without another attempt', async (error, hint) => {
    const res = await call({}, ({ toolServer }) => {
      toolServer.misbehaviour = { token: answerWith(400, { error }) };
    });
    expect([res.status, res.body.code]).toEqual([502, 'connector_misconfigured']);
    expect(res.body.detail).toMatch(hint);
    expect([scene.idp.exchanges.length, scene.toolServer.redemptions.length]).toEqual([1, 1]);
  });

  it.each([['access_denied'], ['invalid_scope']])('%s is final', async (error) => {
    const res = await call({}, ({ toolServer }) => {
      toolServer.misbehaviour = { token: answerWith(400, { error }) };
    });
    expect([res.status, res.body.code, scene.toolServer.redemptions.length]).toEqual([
      403,
      'delegation_denied',
      1,
    ]);
  });

  it('causes a new exchange if it never arrived: no assertion is presented twice', async () => {
    let cut = 0;
    const res = await call({}, ({ toolServer }) => {
      toolServer.misbehaviour = {
        token(_req, res) {
          cut += 1;
          toolServer.misbehaviour = {};
          res.destroy();
        },
      };
    });
    expect([res.status, cut]).toEqual([200, 1]);
    const presented = scene.toolServer.redemptions.map(({ assertionId }) => assertionId);
    expect([presented.length, new Set(presented).size, scene.idp.exchanges.length]).toEqual([2, 2, 2]);
  });

  it('is reported as an outage after it has failed to arrive twice', async () => {
    const res = await call({}, ({ toolServer }) => {
      toolServer.misbehaviour = { token: (_req, res) => res.destroy() };
    });
    expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([
      503,
      'tool_server_unavailable',
      '5',
    ]);
    expect(scene.toolServer.redemptions.length).toBe(2);
  });

  it('may include a refresh token, which is not stored', async () => {
    await call();
    expect(JSON.stringify([...scene.entries])).not.toContain('refresh');
  });
});

describe('discovery', () => {
  const elsewhere = { authorization_servers: ['https://as.example'] };

  it.each<[string, ToolServerMisbehaviour, Partial<IdJagSettings>?]>([
    ['about another resource', { resourceMetadata: { resource: 'https://other.example' } }],
    ['with an authorization server at another origin that nobody pinned', { resourceMetadata: elsewhere }],
    ['with another authorization server than the pinned one', {}, { issuer: 'https://as.example' }],
    ['with no authorization server', { resourceMetadata: { authorization_servers: [] } }],
    ['of the wrong form', { resourceMetadata: { authorization_servers: 'x' } }],
    [
      'of an authorization server that speaks for another issuer',
      { serverMetadata: { issuer: 'https://honest.example' } },
    ],
    ['of an authorization server that speaks for a slash more', { serverMetadata: { issuer: 'http://x/' } }],
    [
      'of an authorization server without the grant',
      { serverMetadata: { grant_types_supported: ['authorization_code'] } },
    ],
    [
      'of an authorization server without a token endpoint',
      { serverMetadata: { token_endpoint: undefined } },
    ],
    ['that does not exist', { resourceMetadata: 404 }],
  ])('stops at metadata %s, before any credential is sent', async (_case, misbehaviour, idJag = {}) => {
    const res = await call({ idJag }, ({ toolServer }) => {
      toolServer.misbehaviour = misbehaviour;
    });
    expect([res.status, res.body.code]).toEqual([502, 'connector_misconfigured']);
    expect([scene.idp.exchanges, scene.toolServer.redemptions]).toEqual([[], []]);
  });

  it.each<[string, ToolServerMisbehaviour, Partial<IdJagSettings>, string]>([
    [
      'that nobody has pinned it',
      { resourceMetadata: elsewhere },
      {},
      'its authorization server has another origin: pin the issuer on the connector (https://as.example)',
    ],
    [
      'that it is not the pinned one',
      { resourceMetadata: elsewhere },
      { issuer: 'https://another.example' },
      'its resource metadata does not list the issuer that the connector pins, but https://as.example',
    ],
    [
      'that there is none to pin',
      { resourceMetadata: { authorization_servers: [] } },
      {},
      'its resource metadata lists no authorization server',
    ],
  ])('reports %s for an authorization server elsewhere, and does not use a fallback', async (...row) => {
    const [, misbehaviour, idJag, reason] = row;
    const pkce = { method: 'oauth-pkce', clientId: 'hub', clientAuth: undefined, issuer: undefined } as const;
    const res = await call({ connector: { methods: [{ ...ID_JAG, ...idJag }, pkce] } }, ({ toolServer }) => {
      toolServer.misbehaviour = misbehaviour;
    });
    expect([res.status, res.body.code]).toEqual([502, 'connector_misconfigured']);
    expect(res.body.detail).toContain(`Connector "con_tools" cannot be used: tool server: ${reason}.`);
    expect(scene.idp.exchanges).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, 'authorization server' | 'tool server']>([
    ['is its issuer, where it advertises ID-JAGs', {}, 'authorization server'],
    [
      'is the tool server, where it does not',
      { authorization_grant_profiles_supported: undefined },
      'tool server',
    ],
  ])(
    'finds a pinned authorization server at another origin, and uses the audience %s',
    async (_case, serverMetadata, audience) => {
      const server = await startFakeToolServer({ clock: createTestClock() });
      try {
        server.misbehaviour = { serverMetadata };
        const res = await call({ idJag: { issuer: server.resource } }, ({ toolServer }) => {
          toolServer.misbehaviour = { resourceMetadata: { authorization_servers: [server.resource] } };
          toolServer.recognize = ({ authorization = '' }) =>
            server.issued.includes(authorization.replace('Bearer ', '')) ? 'user_alice' : undefined;
        });
        const { toolServer, idp } = scene;
        const expected = audience === 'tool server' ? toolServer.resource : server.resource;
        const asked = ['audience', 'resource'].map((name) => idp.exchanges[0]?.get(name));
        expect([res.status, ...asked]).toEqual([200, expected, toolServer.resource]);
        expect([server.redemptions.length, toolServer.redemptions]).toEqual([1, []]);
      } finally {
        await server.stop();
      }
    },
  );

  it('runs once, and again when the metadata has expired', async () => {
    await call();
    scene.toolServer.expiresIn = 60;
    const reads = scene.toolServer.metadataReads.length;
    scene.entries.clear();
    await callAgain();
    expect(scene.toolServer.metadataReads.length).toBe(reads);
    scene.clock.advanceSeconds(301);
    await callAgain();
    expect(scene.toolServer.metadataReads.length).toBe(reads * 2);
  });

  it('makes the hub request the resource identifier if the server does not advertise ID-JAGs', async () => {
    const res = await call({}, ({ toolServer }) => {
      toolServer.misbehaviour = { serverMetadata: { authorization_grant_profiles_supported: undefined } };
    });
    expect([res.status, scene.idp.exchanges[0]?.get('audience')]).toEqual([200, scene.toolServer.resource]);
  });

  it.each<[string, Record<string, unknown>, 'issuer' | 'resource']>([
    ['the issuer, where the server advertises ID-JAGs', {}, 'issuer'],
    [
      'the resource with its path, where it does not',
      { authorization_grant_profiles_supported: undefined },
      'resource',
    ],
  ])(
    'makes the hub request a resource with a path, with the audience %s',
    async (_case, serverMetadata, audience) => {
      scene = await createScene();
      const { toolServer, connector, idp } = scene;
      const issuer = toolServer.resource;
      const resource = `${issuer}/tenants/acme/mcp-server`;
      toolServer.misbehaviour = {
        resourceMetadata: { resource, authorization_servers: [issuer] },
        serverMetadata,
      };
      const res = await callAt(
        scene.replica({ registry: createConnectorRegistry([{ ...connector, resource }]) }),
      );
      expect(res.status).toBe(200);
      const asked = ['audience', 'resource'].map((name) => idp.exchanges[0]?.get(name));
      expect(asked).toEqual([audience === 'issuer' ? issuer : resource, resource]);
      // Like MCP clients, the hub first tries the well-known URL with the path (RFC 9728 §3.1), then the one at the root.
      expect(toolServer.metadataReads.slice(0, 2)).toEqual([
        '/.well-known/oauth-protected-resource/tenants/acme/mcp-server',
        '/.well-known/oauth-protected-resource',
      ]);
    },
  );

  it('makes the hub request the audience of the connector', async () => {
    const res = await call({ idJag: { audience: 'urn:tools' } });
    expect([res.status, scene.idp.exchanges[0]?.get('audience')]).toEqual([200, 'urn:tools']);
  });

  it('falls back to the specified token endpoint without server metadata', async () => {
    const res = await call({}, ({ toolServer }) => {
      toolServer.misbehaviour = { serverMetadata: 404 };
    });
    expect([res.status, scene.toolServer.redemptions.length]).toEqual([200, 1]);
  });

  it('finds the scopes to request if the connector has none', async () => {
    await call({ connector: { scopes: [] } });
    expect(scene.idp.exchanges[0]?.get('scope')).toBe('mcp:tools:read mcp:tools:call');
  });
});

it("asks the user to connect an account if that is the connector's method", async () => {
  const connecting = await createConnectScene();
  scene = connecting;
  const res = await connecting.call(await connecting.idTokenOf('user_alice'));
  expect([res.status, res.body.code]).toEqual([403, 'connection_required']);
  expect(res.body.detail).toBe(
    'The user must first connect their own account at the tool server of "Notes".',
  );
});

it('counts no delegation before one is made', async () => {
  await call();
  const counted = (await scene.metrics()).split('\n').filter((line) => line.startsWith('delegations_total{'));
  const outcomes = ['granted', 'unsupported', 'denied', 'expired', 'unavailable', 'misconfigured'];
  const expected = ['id-jag', 'token-exchange', 'passthrough', 'service', 'oauth-pkce'].flatMap((method) =>
    outcomes.map((outcome) => {
      const count = method === 'id-jag' && outcome === 'granted' ? 1 : 0;
      return `delegations_total{method="${method}",outcome="${outcome}",service="tool-hub"} ${count}`;
    }),
  );
  expect(counted.toSorted()).toEqual(expected.toSorted());
});

it('does not use a token that was obtained with another pinned issuer', async () => {
  await call();
  const { connector, toolServer } = scene;
  const pinned = { ...connector, methods: [{ ...ID_JAG, issuer: toolServer.resource }] as const };
  const replica = scene.replica({ registry: createConnectorRegistry([pinned]) });
  const answers = [await callAt(replica), await callAt(replica), await callAgain()];
  expect(answers.map((res) => res.get('Legate-Token-Cache'))).toEqual(['miss', 'hit', 'miss']);
});

describe('the hub authenticates to the authorization server', () => {
  it('with Basic authentication', async () => {
    const clientAuth = { method: 'client_secret_basic', clientSecret: 'a:b c' } as const;
    const res = await call({ idJag: { clientAuth } });
    const [redemption] = scene.toolServer.redemptions;
    expect([res.status, redemption?.form.has('client_secret')]).toEqual([200, false]);
    // RFC 6749 §2.3.1: both parts are form-encoded first.
    const credentials = Buffer.from(
      redemption?.authorization?.replace('Basic ', '') ?? '',
      'base64',
    ).toString();
    expect(credentials).toMatch(/^[^: ]+:a%3Ab\+c$/);
    expect(decodeURIComponent(credentials.split(':')[0] ?? '')).toBe('hub-at-server');
  });

  it('never, with a key that cannot sign, and reports this', async () => {
    const privateJwk = { kty: 'oct', k: 'c2VjcmV0' };
    const res = await call({ idJag: { clientAuth: { method: 'private_key_jwt', privateJwk } } });
    expect([res.status, res.body.code]).toEqual([502, 'connector_misconfigured']);
    expect(res.text).not.toContain('c2VjcmV0');
  });

  it('with a signed assertion, only for the issuer', async () => {
    const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
    ]);
    const privateJwk = { ...(await crypto.subtle.exportKey('jwk', privateKey)), alg: 'ES256', kid: 'hub-1' };
    const res = await call({ idJag: { clientAuth: { method: 'private_key_jwt', privateJwk } } });
    expect(res.status).toBe(200);
    const assertion = scene.toolServer.redemptions[0]?.form.get('client_assertion') ?? '';
    const [header, claims] = assertion.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header ?? '')).toMatchObject({ alg: 'ES256', kid: 'hub-1' });
    expect(JSON.parse(claims ?? '')).toMatchObject({
      iss: 'hub-at-server',
      sub: 'hub-at-server',
      aud: scene.toolServer.resource,
    });
  });
});
