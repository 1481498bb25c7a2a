import { afterEach, describe, expect, it } from '@jest/globals';
import type { MethodSettings, ServiceSettings } from '@legate/delegation';
import request from 'supertest';
import { type Handler, sendJson, startServer } from './testing/http-server.ts';
import { createScene, ID_JAG, type Scene } from './testing/scene.ts';

let scene: Scene;
afterEach(() => scene.stop());

const KEY = 'sk-live-0123456789abcdef';
const service = (header = 'authorization'): ServiceSettings => ({
  method: 'service',
  key: { kind: 'api_key', header, value: KEY },
});

async function arrange(...methods: [MethodSettings, ...MethodSettings[]]) {
  scene = await createScene({ connector: { methods } });
  scene.toolServer.recognize = ({ authorization, 'x-api-key': key }) =>
    authorization === `Bearer ${KEY}` || key === KEY ? 'the-hub' : undefined;
}
const call = async (user = 'user_alice', tool = 'whoami') =>
  request(scene.app)
    .post(`/api/v1/connectors/con_tools/tools/${tool}/call`)
    .set('Authorization', `Bearer ${await scene.idTokenOf(user)}`)
    .send({});
const rpc = async (method: string, params: object) => {
  const res = await request(scene.app)
    .post('/mcp/con_tools')
    .set('Authorization', `Bearer ${await scene.idTokenOf('user_alice')}`)
    .set({ Host: 'hub.test', 'MCP-Protocol-Version': '2025-11-25' })
    .set('Accept', 'application/json, text/event-stream')
    .send({ jsonrpc: '2.0', id: 1, method, params });
  return res.body.result;
};
const calls = () => scene.toolServer.calls;

describe('an API key', () => {
  it.each([
    ['authorization', { authorization: `Bearer ${KEY}` }],
    ['x-api-key', { 'x-api-key': KEY, authorization: undefined }],
  ])('is sent in %s, without any user data', async (header, expected) => {
    await arrange(service(header));
    const res = await call('user_alice', 'echo');
    expect([res.status, res.get('Legate-Acts-As')]).toEqual([200, 'service']);
    const [sent] = calls();
    expect(sent?.headers).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    );
    if ('x-api-key' in expected) expect(sent?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(sent)).not.toMatch(/user_alice|org_acme|eyJ/);
  });

  it('requires no token request, and none is cached', async () => {
    await arrange(service());
    for (const user of ['user_alice', 'user_bob', 'user_alice'])
      expect((await call(user)).get('Legate-Token-Cache')).toBe('miss');
    expect([scene.entries.size, scene.idp.exchanges, scene.toolServer.metadataReads]).toEqual([0, [], []]);
    expect(await scene.metrics()).toContain(
      'delegations_total{method="service",outcome="granted",service="tool-hub"} 3',
    );
  });

  it('is sent only to its own connector', async () => {
    await arrange(service());
    const others = await request(scene.app)
      .post('/api/v1/connectors/con_tools/tools/whoami/call')
      .set('Authorization', `Bearer ${await scene.idTokenOf('user_carol', { organization_id: 'org_none' })}`)
      .send({});
    expect([others.status, calls()]).toEqual([404, []]);
  });

  it('does not follow a redirect', async () => {
    await arrange(service('x-api-key'));
    let strangers = 0;
    const elsewhere = await startServer((_req, res) => {
      strangers += 1;
      sendJson(res, 200, {});
    });
    scene.toolServer.misbehaviour = {
      mcp: (_req, res) => res.writeHead(308, { Location: `${elsewhere.url}/mcp` }).end(),
    };
    expect((await call()).status).toBe(502);
    expect(strangers).toBe(0);
    await elsewhere.stop();
  });
});

describe("a tool server's response to an API key", () => {
  const challenge = (value: string): Handler => {
    return (_req, res) =>
      sendJson(res, value.includes('scope') ? 403 : 401, {}, { 'WWW-Authenticate': value });
  };
  it.each<[string, Handler, number, string]>([
    ['401', challenge('Bearer'), 502, 'connector_misconfigured'],
    ['403', (_req, res) => sendJson(res, 403, {}), 403, 'tool_forbidden'],
    [
      '403 that names scopes',
      challenge('Bearer error="insufficient_scope", scope="admin"'),
      403,
      'delegation_denied',
    ],
    ['500', (_req, res) => sendJson(res, 500, {}), 502, 'tool_server_error'],
    ['503', (_req, res) => sendJson(res, 503, {}), 503, 'tool_server_unavailable'],
    ['404', (_req, res) => sendJson(res, 404, {}), 502, 'tool_server_error'],
    ['nothing', (req) => void req.socket.destroy(), 503, 'tool_server_unavailable'],
    [
      'with the key',
      (req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(echo(req.headers)),
      502,
      'tool_server_error',
    ],
  ])('%s is reported once, without trying another method', async (_case, mcp, status, code) => {
    await arrange(service(), { method: 'passthrough', acceptedAudiences: ['frontend-app'] });
    scene.toolServer.misbehaviour = { mcp };
    const res = await call();
    expect([res.status, res.body.code]).toEqual([status, code]);
    expect(res.text).not.toContain(KEY);
    expect(new Set(calls().map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${KEY}`]));
    expect(scene.logged()).not.toContain(KEY);
  });

  it.each([
    ['as it is', KEY],
    ['within a scope', `admin:${KEY}`],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['percent-encoded', KEY.replaceAll('-', '%2D')],
  ])('403 with the key among the scopes, %s, reveals it to nobody', async (_case, repeated) => {
    await arrange(service());
    scene.toolServer.misbehaviour = {
      mcp: challenge(`Bearer error="insufficient_scope", scope="admin ${repeated}"`),
    };
    const res = await call();
    expect([res.status, res.body.code]).toEqual([403, 'delegation_denied']);
    expect(res.body).not.toHaveProperty('required_scope');
    const answers = [res.text, JSON.stringify(res.headers), scene.logged()];
    answers.push(JSON.stringify(await rpc('tools/call', { name: 'whoami', arguments: {} })));
    for (const text of answers) for (const secret of [repeated, KEY]) expect(text).not.toContain(secret);
    expect(answers.at(-1)).toContain('delegation_denied');
  });
});

const echo = (headers: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: JSON.stringify(headers) }] },
  });

describe('an agent', () => {
  it("is told that a list and a result are not its user's", async () => {
    await arrange(service());
    const { tools } = await rpc('tools/list', {});
    expect(tools.length).toBeGreaterThan(1);
    for (const tool of tools) expect(tool._meta).toEqual({ 'legate/acts_as': 'service' });
    const result = await rpc('tools/call', { name: 'whoami', arguments: {} });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'the-hub' }],
      _meta: { 'legate/acts_as': 'service' },
    });
  });

  it("is not told of a service if the user's credential is used, whatever the tool server returns", async () => {
    scene = await createScene();
    scene.toolServer.misbehaviour = {
      mcp: (_req, res, body) => {
        const { id, method } = JSON.parse(body);
        const _meta = { 'legate/acts_as': 'service', theirs: 1 };
        const tools = [{ name: 'whoami', inputSchema: { type: 'object' }, _meta }];
        sendJson(res, 200, {
          jsonrpc: '2.0',
          id,
          result:
            method === 'tools/list'
              ? { resultType: 'complete', tools }
              : { resultType: 'complete', content: [], _meta },
        });
      },
    };
    expect((await rpc('tools/list', {})).tools[0]._meta).toEqual({ theirs: 1 });
    const { _meta } = await rpc('tools/call', { name: 'whoami', arguments: {} });
    expect(_meta).not.toHaveProperty('legate/acts_as');
  });

  it("is told so in an application's list too", async () => {
    await arrange(service());
    const res = await request(scene.app)
      .get('/api/v1/connectors/con_tools/tools')
      .set('Authorization', `Bearer ${await scene.idTokenOf('user_alice')}`);
    expect([res.status, res.get('Legate-Acts-As')]).toEqual([200, 'service']);
  });
});

describe('with a service as the fallback', () => {
  it('the service replaces an unsupported method, and the response reports it', async () => {
    await arrange(ID_JAG, service());
    scene.toolServer.misbehaviour = { resourceMetadata: 404 };
    const res = await call();
    expect([res.status, res.get('Legate-Acts-As'), res.body.content[0].text]).toEqual([
      200,
      'service',
      'the-hub',
    ]);
    expect(scene.entries.size).toBe(0);
  });

  it("the user's method is used if both are possible", async () => {
    await arrange(ID_JAG, service());
    scene.toolServer.recognize = undefined;
    const res = await call();
    expect([res.status, res.get('Legate-Acts-As'), res.body.content[0].text]).toEqual([
      200,
      'user',
      'user_alice',
    ]);
  });

  it.each<[string, (it: Scene) => void, number, string]>([
    [
      'the identity provider denies',
      ({ idp }) => {
        idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'access_denied' }) };
      },
      403,
      'delegation_denied',
    ],
    [
      'the user must sign in again',
      ({ idp }) => {
        idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'invalid_grant' }) };
      },
      401,
      'sign_in_required',
    ],
    [
      'the identity provider is down',
      ({ idp }) => {
        idp.misbehaviour = { token: (_req, res) => sendJson(res, 503, {}) };
      },
      503,
      'idp_unavailable',
    ],
    [
      'the authorization server denies',
      ({ toolServer }) => {
        toolServer.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'invalid_scope' }) };
      },
      403,
      'delegation_denied',
    ],
    [
      'the authorization server is down',
      ({ toolServer }) => {
        toolServer.misbehaviour = { serverMetadata: 503 };
      },
      503,
      'tool_server_unavailable',
    ],
    [
      'the hub’s client is not known',
      ({ toolServer }) => {
        toolServer.misbehaviour = { token: (_req, res) => sendJson(res, 401, { error: 'invalid_client' }) };
      },
      502,
      'connector_misconfigured',
    ],
    [
      'metadata lies',
      ({ toolServer }) => {
        toolServer.misbehaviour = { resourceMetadata: { resource: 'https://other.example' } };
      },
      502,
      'connector_misconfigured',
    ],
  ])('the key of the service is not used if %s', async (_case, misbehave, status, code) => {
    await arrange(ID_JAG, service());
    misbehave(scene);
    const res = await call();
    expect([res.status, res.body.code, calls()]).toEqual([status, code, []]);
  });
});
