import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { callTool, LEGACY, META, MODERN } from '../testing/mcp.ts';
import { createScene, RESOURCE, type Scene } from '../testing/scene.ts';

let scene: Scene;
let token: string;
beforeAll(async () => {
  scene = await createScene();
  token = await scene.grant();
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  request(scene.app)
    .post('/mcp')
    .set({ Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream', ...headers })
    .type('json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));

/** Sends a message of the older revision; the response is an event stream. */
const legacy = async (method: string, params: object = {}) => {
  const res = await post({ jsonrpc: '2.0', id: 1, method, params }, { 'MCP-Protocol-Version': LEGACY });
  const data = /^data: (.*)$/m.exec(res.text)?.[1];
  return { status: res.status, headers: res.headers, body: data ? JSON.parse(data) : res.body };
};

describe('raw JSON-RPC of revision 2026-07-28', () => {
  it('calls a tool', async () => {
    const res = await callTool(scene.app, token, 'whoami');
    expect(res.status).toBe(200);
    expect(res.body).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { resultType: 'complete', structuredContent: { subject: 'user_alice' } },
    });
  });

  it('lists both revisions in server/discover', async () => {
    const res = await post(
      { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: META } },
      { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'server/discover' },
    );
    expect(res.body.result.supportedVersions).toContain(MODERN);
    expect(res.body.result.capabilities.tools).toBeDefined();
  });

  it('lists tools with scopes, schemas and hints, for private caches only', async () => {
    const { body } = await callTool(scene.app, token, undefined);
    expect(body.result).toMatchObject({ cacheScope: 'private', ttlMs: 60_000 });
    const tools = body.result.tools as Record<string, unknown>[];
    for (const tool of tools) {
      expect(tool).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
      });
      expect(tool.name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
    }
    expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))).toMatchObject({
      whoami: { readOnlyHint: true },
      list_notes: { readOnlyHint: true },
      create_note: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      delete_note: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    });
  });

  it('refuses headers that contradict the body', async () => {
    const res = await callTool(scene.app, token, 'whoami').set('Mcp-Name', 'create_note');
    expect([res.status, res.body.error.code]).toEqual([400, -32020]);
  });

  it('refuses an unknown revision', async () => {
    const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const res = await post(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } },
      { 'MCP-Protocol-Version': '2099-01-01', 'Mcp-Method': 'tools/list' },
    );
    expect([res.status, res.body.error.code]).toEqual([400, -32022]);
  });

  it.each(['nothing', 'constructor', '__proto__', 'toString'])(
    'reports an unknown tool in the result: %s',
    async (name) => {
      const res = await callTool(scene.app, token, name);
      expect([res.status, res.body.error.code]).toEqual([200, -32602]);
    },
  );
});

describe('raw JSON-RPC of revision 2025-11-25', () => {
  it('initializes without a session', async () => {
    const res = await legacy('initialize', {
      protocolVersion: LEGACY,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    expect(res.status).toBe(200);
    expect(res.headers['mcp-session-id']).toBeUndefined();
    expect(res.body.result).toMatchObject({ protocolVersion: LEGACY, capabilities: { tools: {} } });
  });

  it('calls a tool in a request of its own', async () => {
    const res = await legacy('tools/call', { name: 'whoami', arguments: {} });
    expect(res.body.result.structuredContent.subject).toBe('user_alice');
  });

  it('sends the challenge for a missing scope as in the newer revision', async () => {
    const narrow = await scene.forgeAccessToken({ scope: 'mcp:tools:read' });
    const res = await post(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'create_note', arguments: { text: 'x' } },
      },
      { 'MCP-Protocol-Version': LEGACY, Authorization: `Bearer ${narrow}` },
    );
    expect(res.status).toBe(403);
    expect(res.headers['www-authenticate']).toMatch(/insufficient_scope.*scope="mcp:tools:call"/);
  });

  it('sends a challenge for a scope that any call of a batch needs', async () => {
    const narrow = await scene.forgeAccessToken({ scope: 'mcp:tools:read' });
    const call = (id: number, name: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: { text: 'x' } },
    });
    const res = await post([call(1, 'whoami'), call(2, 'create_note')], {
      'MCP-Protocol-Version': '2025-03-26',
      Authorization: `Bearer ${narrow}`,
    });
    expect([400, 403]).toContain(res.status);
  });

  it('acknowledges a notification', async () => {
    const res = await post(
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { 'MCP-Protocol-Version': LEGACY },
    );
    expect([res.status, res.text]).toEqual([202, '']);
  });

  it.each(['get', 'delete'] as const)('has no session for %s', async (method) => {
    const res = await request(scene.app)[method]('/mcp').set('Authorization', `Bearer ${token}`);
    expect(res.status).toBe(405);
  });
});

describe('DNS rebinding', () => {
  it.each(['evil.example', 'evil.example:4003', 'localhost.evil.example', '169.254.169.254', '', '@'])(
    'is refused by the Host header %j before the token is checked',
    async (host) => {
      const res = await request(scene.app).post('/mcp').set('Host', host);
      // An empty Host is refused by Node itself.
      expect(host === '' ? [400, 403] : [403]).toContain(res.status);
      expect(res.headers['www-authenticate']).toBeUndefined();
    },
  );

  it.each(['localhost:4003', '127.0.0.1:1', '[::1]:4003'])(
    'does not affect requests to the Host %s',
    async (host) => {
      const res = await callTool(scene.app, token, 'whoami').set('Host', host);
      expect(res.status).toBe(200);
    },
  );

  it.each([
    'https://evil.example',
    'null',
    'http://app.example',
    'https://app.example:8443',
    'https://app.example.evil.example',
    'x',
  ])('is prevented by refusing pages of the origin %s, and their preflight requests', async (origin) => {
    const call = await callTool(scene.app, token, 'whoami').set('Origin', origin);
    const preflight = await request(scene.app)
      .options('/mcp')
      .set({ Origin: origin, 'Access-Control-Request-Method': 'POST' });
    for (const res of [call, preflight]) {
      expect(res.status).toBe(403);
      expect(res.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each([
    ['an allowed origin', 'https://app.example'],
    ["the server's own origin", RESOURCE],
  ])('does not affect pages of %s, which may use MCP and read the challenge', async (_case, origin) => {
    const preflight = await request(scene.app)
      .options('/mcp')
      .set({ Origin: origin, 'Access-Control-Request-Method': 'POST' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe(origin);
    expect(preflight.headers.vary).toContain('Origin');
    for (const header of ['Authorization', 'Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])
      expect(preflight.headers['access-control-allow-headers']).toContain(header);
    const refused = await request(scene.app).post('/mcp').set('Origin', origin);
    expect(refused.status).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe(origin);
    expect(refused.headers['access-control-expose-headers']).toContain('WWW-Authenticate');
    expect((await callTool(scene.app, token, 'whoami').set('Origin', origin)).status).toBe(200);
  });
});

describe('bodies', () => {
  it.each([
    ['nested too deeply', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 400, -32600],
    [
      'nested too deeply in the arguments',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}}`,
      400,
      -32600,
    ],
    ['no JSON', '{"jsonrpc":', 400, -32700],
    ['too large', JSON.stringify({ text: 'x'.repeat(300_000) }), 413, -32000],
  ])('%s are refused before the SDK reads them', async (_case, body, status, code) => {
    const res = await post(body);
    expect([res.status, res.body.error.code, res.body.jsonrpc]).toEqual([status, code, '2.0']);
  });

  it("are accepted with arguments nested 64 levels deep, which is the hub's limit", async () => {
    const nested = `${'{"a":'.repeat(63)}{}${'}'.repeat(63)}`;
    const res = await callTool(scene.app, token, 'whoami', JSON.parse(nested));
    expect([res.status, res.body.result?.structuredContent?.subject]).toEqual([200, 'user_alice']);
  });

  it('of another media type are refused', async () => {
    const res = await request(scene.app)
      .post('/mcp')
      .set('Authorization', `Bearer ${token}`)
      .type('text/plain')
      .send('{"jsonrpc":"2.0"}');
    expect(res.status).toBe(415);
  });

  it('in an unknown charset or encoding are refused', async () => {
    const charset = await post('{}').set('Content-Type', 'application/json; charset=klingon');
    expect(charset.status).toBe(415);
    expect((await post('{}', { 'Content-Encoding': 'zebra' })).status).toBe(415);
    expect((await post('{}', { 'Content-Encoding': 'gzip' })).status).toBe(400);
  });

  it('are not read if the caller has no token', async () => {
    const res = await request(scene.app).post('/mcp').type('json').send('{"jsonrpc":');
    expect(res.status).toBe(401);
  });
});
