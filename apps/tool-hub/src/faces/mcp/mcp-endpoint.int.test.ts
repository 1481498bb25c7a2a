import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AgentsScene, createAgentsScene, type PostOptions } from '../../testing/agents-scene.ts';

let scene: AgentsScene;
let alice: string;
beforeEach(async () => {
  scene = await createAgentsScene();
  alice = await scene.idTokenOf('user_alice');
});
afterEach(() => scene.stop());

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
const LIST = { jsonrpc: '2.0', id: 'a', method: 'tools/list', params: { _meta: META } };
const METADATA = 'http://localhost:4001/.well-known/oauth-protected-resource/mcp';

const list = (options: PostOptions = {}) =>
  scene.post(LIST, { token: alice, ...options, headers: { ...MODERN, ...options.headers } });

describe('/mcp requires credentials', () => {
  it('and links where to get them, without an error if none were sent', async () => {
    const answer = await list({ token: undefined });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer scope="openid", resource_metadata="${METADATA}"`,
    );
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: 401 } });
  });

  it('at the path of one connector too, whether it exists or not', async () => {
    for (const id of ['con_tools', 'con_nobody']) {
      const answer = await list({ token: undefined, path: `/mcp/${id}` });
      expect(answer.headers.get('www-authenticate')).toContain(`resource_metadata="${METADATA}/${id}"`);
    }
  });

  it.each<[string, () => string | Promise<string>, string]>([
    ['garbage', () => 'garbage', 'unknown'],
    ['an access token', () => scene.idp.mintIdToken({ sub: 'a' }, { typ: 'at+jwt' }), 'wrong_type'],
    ["another client's ID token", () => scene.idTokenOf('user_alice', { aud: 'other' }), 'wrong_audience'],
  ])('and reports why it refuses %s', async (_case, token, reason) => {
    for (const path of ['/mcp', '/mcp/con_tools']) {
      const answer = await list({ token: await token(), path });
      expect(answer.status).toBe(401);
      expect((await answer.json()).error.data).toEqual({
        code: 'token_invalid',
        reason,
        ...(reason === 'wrong_audience' && { claims: ['aud'] }),
        authorization: {
          reason: 'insufficient_authorization',
          remediation: 'available',
          remediationHints: [{ type: 'legate/sign_in' }],
        },
      });
      expect(answer.headers.get('www-authenticate')).toMatch(
        /^Bearer error="invalid_token", error_description="[^"]+", .*resource_metadata=/,
      );
    }
  });

  it('and refuses a user without an organization', async () => {
    const token = await scene.idTokenOf('user_alice', { organization_id: undefined });
    const answer = await list({ token });
    expect([answer.status, (await answer.json()).error.data.code]).toEqual([401, 'organization_id_required']);
  });
});

describe('the metadata of /mcp', () => {
  it.each([['/mcp'], ['/mcp/con_tools'], ['/mcp/con_nobody']])(
    'names the identity provider, for %s',
    async (path) => {
      const answer = await fetch(`${scene.url}/.well-known/oauth-protected-resource${path}`);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(await answer.json()).toMatchObject({
        resource: `http://localhost:4001${path}`,
        authorization_servers: [scene.idp.issuer],
        bearer_methods_supported: ['header'],
      });
    },
  );

  it('does not exist for an impossible connector id', async () => {
    const answer = await fetch(`${scene.url}/.well-known/oauth-protected-resource/mcp/a%3Ab`);
    expect(answer.status).toBe(404);
  });
});

describe('web pages', () => {
  it.each(['https://evil.example', 'null', 'https://app.example.evil.example', 'http://app.example'])(
    'of %s are refused',
    async (origin) => {
      expect((await list({ headers: { Origin: origin } })).status).toBe(403);
    },
  );

  it.each([
    ['an allowed origin', 'https://app.example'],
    ["the hub's own origin", 'http://localhost:4001'],
  ])('of %s are served, and may send a preflight', async (_case, origin) => {
    const answer = await list({ headers: { Origin: origin } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    const preflight = await fetch(`${scene.url}/mcp`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Method');
  });
});

it('refuses other hosts, before it checks a token', async () => {
  const status = await new Promise((resolve, reject) => {
    request(`${scene.url}/mcp`, { method: 'POST', headers: { Host: 'rebound.example:4001' } }, (res) =>
      resolve(res.statusCode),
    )
      .on('error', reject)
      .end();
  });
  expect(status).toBe(403);
});

it.each(['GET', 'DELETE', 'PUT'])(
  'refuses %s with 405, because there are no sessions and no streams to open',
  async (method) => {
    const answer = await fetch(`${scene.url}/mcp`, { method, headers: { Authorization: `Bearer ${alice}` } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  },
);

describe('a body', () => {
  const raw = (body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`${scene.url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${alice}`, ...headers },
      body,
    });
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);

  it.each<[string, string | Buffer, Record<string, string>, number, number]>([
    ['that is not JSON', '{', {}, 400, -32700],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 400, -32700],
    ['that is empty', '', {}, 400, -32700],
    ['of another type', '{}', { 'Content-Type': 'text/plain' }, 415, -32600],
    ['that is compressed', '{}', { 'Content-Encoding': 'gzip' }, 415, -32600],
    ['that is too large', JSON.stringify('x'.repeat(1_100_000)), {}, 413, -32600],
    ['that is a batch', '[]', {}, 400, -32600],
    ['that is not JSON-RPC', '{}', {}, 400, -32600],
    ['without a method', '{"jsonrpc":"2.0","id":1}', {}, 400, -32600],
    ['with null as id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', {}, 400, -32600],
    ['with a fraction as id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', {}, 400, -32600],
    ['with a list of params', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', {}, 400, -32602],
    [
      'that is nested too deep',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`,
      {},
      400,
      -32600,
    ],
  ])('%s is refused', async (_case, body, headers, status, code) => {
    const answer = await raw(body, headers);
    expect([answer.status, await answer.json()]).toMatchObject([status, { error: { code } }]);
  });
});

describe('a request of revision 2026-07-28', () => {
  const { 'io.modelcontextprotocol/protocolVersion': _version, ...withoutVersion } = META;
  const call = { ...LIST, method: 'tools/call', params: { name: 'con-tools_whoami', _meta: META } };
  it.each<[string, object, Record<string, string>, number, number]>([
    ['without its version in the header', LIST, { 'MCP-Protocol-Version': '' }, 400, -32020],
    ['with another version in the header', LIST, { 'MCP-Protocol-Version': '2025-11-25' }, 400, -32020],
    ['without its method in the header', LIST, { 'Mcp-Method': '' }, 400, -32020],
    ['with another method in the header', LIST, { 'Mcp-Method': 'tools/call' }, 400, -32020],
    ['without a name in the header', call, { 'Mcp-Method': 'tools/call' }, 400, -32020],
    [
      'with another name in the header',
      call,
      { 'Mcp-Method': 'tools/call', 'Mcp-Name': 'con-tools_other' },
      400,
      -32020,
    ],
    ['without _meta', { ...LIST, params: {} }, {}, 400, -32602],
    ['without its version in _meta', { ...LIST, params: { _meta: withoutVersion } }, {}, 400, -32602],
    [
      'with a malformed version',
      { ...LIST, params: { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': { toString: 1 } } } },
      {},
      400,
      -32602,
    ],
    [
      'without capabilities',
      { ...LIST, params: { _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': undefined } } },
      {},
      400,
      -32602,
    ],
    [
      'of an unknown method',
      { ...LIST, method: 'tools/steal' },
      { 'Mcp-Method': 'tools/steal' },
      404,
      -32601,
    ],
    [
      'of a method of the older revisions',
      { ...LIST, method: 'ping' },
      { 'Mcp-Method': 'ping' },
      404,
      -32601,
    ],
  ])('is refused %s, in a response with its id', async (_case, message, headers, status, code) => {
    const answer = await scene.post(message, { token: alice, headers: { ...MODERN, ...headers } });
    const body = await answer.json();
    expect([answer.status, body.error.code, body.id]).toEqual([status, code, 'a']);
  });

  it('of a future revision gets the list of supported revisions', async () => {
    const version = '2027-01-01';
    const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': version };
    const answer = await scene.post(
      { ...LIST, params: { _meta } },
      { token: alice, headers: { ...MODERN, 'MCP-Protocol-Version': version } },
    );
    expect([answer.status, (await answer.json()).error]).toEqual([
      400,
      {
        code: -32022,
        message: expect.any(String),
        data: { supported: ['2026-07-28'], requested: version },
      },
    ]);
  });

  it("may ask for the server's description", async () => {
    const discover = { ...LIST, method: 'server/discover' };
    const answer = await scene.post(discover, {
      token: alice,
      headers: { ...MODERN, 'Mcp-Method': 'server/discover' },
    });
    expect((await answer.json()).result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
      cacheScope: 'private',
    });
  });
});

describe('a request of an older revision', () => {
  const legacy = (method: string, params: object = {}, id: unknown = 1) =>
    scene.post({ jsonrpc: '2.0', id, method, params }, { token: alice });

  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2026-07-28', '2025-11-25'],
  ])('that offers %s gets %s', async (offered, agreed) => {
    const answer = await legacy('initialize', { protocolVersion: offered, capabilities: {} });
    const { protocolVersion, capabilities } = (await answer.json()).result;
    expect([protocolVersion, Object.keys(capabilities ?? {})]).toEqual([
      agreed,
      ['tools', 'resources', 'prompts', 'completions'],
    ]);
    expect(answer.headers.get('mcp-session-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('may ping, and gets no response to a notification', async () => {
    expect(await (await legacy('ping')).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 7, result: {} },
    ]) {
      const answer = await scene.post(message, { token: alice });
      expect([answer.status, await answer.text()]).toEqual([202, '']);
    }
  });

  it.each(['tools/steal', 'server/discover', 'logging/setLevel', '__proto__', 'constructor'])(
    'for %s gets a "method not found" response',
    async (method) => {
      const answer = await legacy(method);
      expect([answer.status, (await answer.json()).error.code]).toEqual([200, -32601]);
    },
  );
});

it.each(['con_nobody', 'con_globex_only'])('returns 404 for %s', async (id) => {
  const answer = await list({ path: `/mcp/${id}` });
  expect([answer.status, (await answer.json()).error]).toEqual([
    404,
    expect.objectContaining({ data: { code: 'connector_not_found' } }),
  ]);
});

it('counts requests of agents, with labels that an agent cannot make up', async () => {
  await list();
  await scene.post({ jsonrpc: '2.0', id: 1, method: 'made/up' }, { token: alice });
  const metrics = await scene.metrics();
  expect(metrics).toMatch(/agent_requests_total\{era="modern",method="tools\/list",outcome="result",.*\} 1/);
  expect(metrics).toMatch(/agent_requests_total\{era="legacy",method="other",outcome="error",.*\} 1/);
});

it('never writes a token into a response or a log', async () => {
  await list();
  await list({ token: `${alice}x` });
  const logged = scene.logged();
  expect(logged).not.toContain(alice);
  for (const token of scene.toolServer.issued) expect(logged).not.toContain(token);
});
