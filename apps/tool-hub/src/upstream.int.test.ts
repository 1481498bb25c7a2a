import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { McpMode } from './testing/fake-mcp.ts';
import { type Handler, sendJson } from './testing/http-server.ts';
import { createScene, type Scene } from './testing/scene.ts';

let scene: Scene;
let alice: string;

beforeEach(async () => {
  scene = await createScene({
    connector: { stepUpScopes: ['notes:write', 'more:1', 'more:2', 'more:3'] },
  });
  alice = await scene.idTokenOf('user_alice');
});

afterEach(() => scene.stop());

const call = (token = alice, tool = 'whoami', args: object = {}) =>
  request(scene.app)
    .post(`/api/v1/connectors/con_tools/tools/${encodeURIComponent(tool)}/call`)
    .set('Authorization', `Bearer ${token}`)
    .send({ arguments: args });

const methods = () => scene.toolServer.calls.map(({ message }) => message.method);
/** Returns the tool calls that the server received, without the discovery before the first call */
const calls = () => scene.toolServer.calls.filter(({ message }) => message.method === 'tools/call');
const textOf = (res: { body: { content?: { text: string }[] } }) => res.body.content?.[0]?.text;

describe('a 401 of the tool server', () => {
  it('is followed by one retry with a fresh token', async () => {
    await call();
    scene.toolServer.revokeAll();
    const res = await call();
    expect([res.status, textOf(res), res.get('Legate-Token-Cache')]).toEqual([200, 'user_alice', 'miss']);
    expect([scene.idp.exchanges.length, calls().length]).toEqual([2, 3]);
    expect((await call()).get('Legate-Token-Cache')).toBe('hit');
  });

  it('is reported if the fresh token is rejected too, and the rejected token is not cached', async () => {
    scene.toolServer.misbehaviour = { mcp: (_req, res) => sendJson(res, 401, {}) };
    const res = await call();
    expect([res.status, res.body.code]).toEqual([502, 'connector_misconfigured']);
    expect([scene.toolServer.calls.length, scene.idp.exchanges.length]).toEqual([2, 2]);
  });

  it('for many concurrent calls causes far fewer exchanges than calls', async () => {
    await call();
    scene.toolServer.revokeAll();
    const answers = await Promise.all(Array.from({ length: 50 }, () => call()));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(scene.idp.exchanges.length).toBeLessThan(10);
  });

  it('leaves no rejected token in the cache if no new one can be obtained', async () => {
    await call();
    scene.toolServer.revokeAll();
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'access_denied' }) };
    expect((await call()).status).toBe(403);
    expect([...scene.entries.keys()].filter((key) => key.startsWith('token:'))).toEqual([]);
  });
});

describe('a 403 that names scopes', () => {
  it('is followed by a retry with the old and the new scopes; the next call of the tool uses the same token', async () => {
    scene.toolServer.requiredScopes.set('whoami', ['notes:write']);
    const res = await call();
    expect([res.status, textOf(res)]).toEqual([200, 'user_alice']);
    expect(scene.idp.exchanges.map((form) => form.get('scope'))).toEqual([
      'mcp:tools:read mcp:tools:call',
      'mcp:tools:read mcp:tools:call notes:write',
    ]);
    expect((await call()).get('Legate-Token-Cache')).toBe('hit');
    expect(scene.idp.exchanges.length).toBe(2);
  });

  it('yields a token that is used for no other tool', async () => {
    scene.toolServer.requiredScopes.set('whoami', ['notes:write']);
    await call();
    await call(alice, 'echo');
    await call();
    const tokens = calls().map(({ headers, message }) => [
      message.params?.name,
      scene.toolServer.issued.indexOf(String(headers.authorization).replace('Bearer ', '')),
    ]);
    expect(tokens).toEqual([
      ['whoami', 0],
      ['whoami', 1],
      ['echo', 0],
      ['whoami', 1],
    ]);
  });

  it.each([
    ['beside one that it lists', ['notes:write', 'admin:all']],
    ['alone', ['admin:all']],
  ])('is final if it names a scope that the connector does not list, %s', async (_case, scopes) => {
    scene.toolServer.requiredScopes.set('whoami', scopes);
    const res = await call();
    expect([res.status, res.body.code, res.body.required_scope]).toEqual([
      403,
      'delegation_denied',
      scopes.join(' '),
    ]);
    expect(res.body.detail).toBe(
      'Connector "con_tools" does not list the required scopes: admin:all. An administrator can change that; signing in again does not.',
    );
    expect([scene.idp.exchanges.length, calls().length]).toEqual([1, 1]);
  });

  it('is final if policy does not grant the scopes, and the response names them', async () => {
    scene.idp.policy = ['mcp:tools:read', 'mcp:tools:call'];
    scene.toolServer.requiredScopes.set('whoami', ['notes:write']);
    const res = await call();
    expect(res.status).toBe(403);
    expect(res.body).toMatchObject({
      code: 'delegation_denied',
      required_scope: 'notes:write',
      connector_id: 'con_tools',
    });
    expect([scene.idp.exchanges.length, calls().length]).toEqual([2, 1]);
  });

  it.each<[string, (token: string) => string]>([
    ['as it is', (token) => token],
    ['within a scope', (token) => `notes:${token}:write`],
    ['in base64', (token) => Buffer.from(token).toString('base64')],
    ['percent-encoded', (token) => token.replaceAll('-', '%2D')],
  ])('does not reveal the access token if it is among the scopes %s', async (_case, formOf) => {
    // A longer token, such as a JWT, is not a valid scope for the hub.
    const token = 'opaque-access-token-0123456789';
    const repeated = formOf(token);
    scene.toolServer.misbehaviour = {
      response: { access_token: token },
      mcp(req, res) {
        expect(req.headers.authorization).toBe(`Bearer ${token}`);
        const challenge = `Bearer error="insufficient_scope", scope="notes:write ${repeated}"`;
        sendJson(res, 403, {}, { 'WWW-Authenticate': challenge });
      },
    };
    const asApplication = await call();
    const asAgent = await request(scene.app)
      .post('/mcp/con_tools')
      .set('Authorization', `Bearer ${alice}`)
      .set({ Host: 'hub.test', 'MCP-Protocol-Version': '2025-11-25' })
      .set('Accept', 'application/json, text/event-stream')
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } });
    expect([asApplication.status, asApplication.body.code]).toEqual([403, 'delegation_denied']);
    expect(asApplication.body).not.toHaveProperty('required_scope');
    expect(asAgent.text).toContain('delegation_denied');
    const answers = [asApplication, asAgent].map(({ text, headers }) => text + JSON.stringify(headers));
    // Such a scope is not requested from the identity provider either.
    const asked = scene.idp.exchanges.map((form) => form.get('scope'));
    expect(asked).toEqual(['mcp:tools:read mcp:tools:call']);
    for (const text of [...answers, scene.logged()])
      for (const secret of [repeated, token]) expect(text).not.toContain(secret);
  });

  it('is followed by a limited number of retries', async () => {
    let asked = 0;
    scene.toolServer.misbehaviour = {
      mcp(_req, res) {
        asked += 1;
        const challenge = `Bearer error="insufficient_scope", scope="more:${asked}"`;
        sendJson(res, 403, {}, { 'WWW-Authenticate': challenge });
      },
    };
    const res = await call();
    expect([res.status, res.body.code, asked, scene.idp.exchanges.length]).toEqual([
      403,
      'delegation_denied',
      3,
      3,
    ]);
  });

  it('is final at once if it names scopes that the token has', async () => {
    scene.toolServer.misbehaviour = {
      mcp: (_req, res) =>
        sendJson(
          res,
          403,
          {},
          { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="mcp:tools:read"' },
        ),
    };
    expect([(await call()).status, scene.idp.exchanges.length]).toEqual([403, 1]);
  });

  it('differs from a 403 without scopes, which no token can resolve', async () => {
    scene.toolServer.misbehaviour = { mcp: (_req, res) => sendJson(res, 403, {}) };
    const res = await call();
    expect([res.status, res.body.code, scene.idp.exchanges.length]).toEqual([403, 'tool_forbidden', 1]);
  });
});

describe('both revisions of MCP', () => {
  it.each<[McpMode]>([['modern'], ['modern-sse'], ['legacy'], ['legacy-session'], ['legacy-sse']])(
    'work, also by event stream and with sessions: %s',
    async (mode) => {
      scene.toolServer.mode = mode;
      const bob = await scene.idTokenOf('user_bob');
      expect([textOf(await call()), textOf(await call(bob)), textOf(await call())]).toEqual([
        'user_alice',
        'user_bob',
        'user_alice',
      ]);
      const echoed = await call(alice, 'echo', { text: 'é'.repeat(5000) });
      expect(JSON.parse(textOf(echoed) ?? '')).toEqual({ text: 'é'.repeat(5000) });
      expect((await call(alice, 'größe')).body.code).toBe('tool_not_found');
    },
  );

  it("cause one request to determine a modern server's revision, and one request for each call", async () => {
    await call();
    await call();
    expect(methods()).toEqual(['server/discover', 'tools/call', 'tools/call']);
  });

  it('cause one handshake with an old server without sessions', async () => {
    scene.toolServer.mode = 'legacy';
    await call();
    await call(await scene.idTokenOf('user_bob'));
    expect(methods()).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/call',
      'tools/call',
    ]);
  });

  it('give each user a separate session, and a new one when it has ended', async () => {
    scene.toolServer.mode = 'legacy-session';
    await call();
    await call(await scene.idTokenOf('user_bob'));
    expect([...scene.toolServer.sessions.values()].map(({ user }) => user)).toEqual([
      'user_alice',
      'user_bob',
    ]);
    scene.toolServer.sessions.clear();
    expect((await call()).status).toBe(200);
    expect(methods().filter((method) => method === 'initialize').length).toBe(3);
  });

  it('are determined again after an hour', async () => {
    scene.toolServer.mode = 'legacy';
    await call();
    scene.toolServer.mode = 'modern';
    scene.clock.advanceSeconds(3601);
    const later = await scene.idTokenOf('user_alice');
    expect((await call(later)).status).toBe(200);
    expect(methods().at(-1)).toBe('tools/call');
    expect(scene.toolServer.calls.at(-1)?.headers['mcp-method']).toBe('tools/call');
  });

  it.each<McpMode>(['legacy', 'legacy-session'])(
    'are determined again as soon as an old server (%s) is upgraded',
    async (mode) => {
      scene.toolServer.mode = mode;
      await call();
      scene.toolServer.mode = 'modern';
      expect([textOf(await call()), textOf(await call())]).toEqual(['user_alice', 'user_alice']);
      expect(methods().slice(-2)).toEqual(['tools/call', 'tools/call']);
    },
  );

  it.each([201, 202, 204])(
    'never run a tool twice if its call was accepted with status %i',
    async (status) => {
      scene.toolServer.misbehaviour = { mcp: (_req, res) => res.writeHead(status).end() };
      expect([(await call()).body.code, calls().length]).toEqual(['tool_server_error', 1]);
    },
  );

  it('never run a tool twice: an error of the tool is not taken for an old server', async () => {
    scene.toolServer.misbehaviour = {
      mcp: (_req, res, body) =>
        sendJson(res, 200, {
          jsonrpc: '2.0',
          id: JSON.parse(body).id,
          error: { code: -32000, message: 'no' },
        }),
    };
    expect([(await call()).status, calls().length]).toEqual([502, 1]);
  });
});

describe('a tool server that', () => {
  it.each<[string, Handler, number, string]>([
    [
      'redirects',
      (_req, res) => res.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
      502,
      'tool_server_error',
    ],
    [
      'answers with a page',
      (_req, res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
      502,
      'tool_server_error',
    ],
    ['answers with nothing', (_req, res) => res.writeHead(200).end(), 502, 'tool_server_error'],
    [
      'answers with too much',
      (_req, res) => res.writeHead(200).end('a'.repeat(200_000)),
      502,
      'tool_server_error',
    ],
    ['fails', (_req, res) => res.writeHead(500).end('stack trace'), 502, 'tool_server_error'],
    ['hangs up', (_req, res) => res.destroy(), 503, 'tool_server_unavailable'],
    ['is overloaded', (_req, res) => res.writeHead(503).end(), 503, 'tool_server_unavailable'],
    ['wants fewer requests', (_req, res) => res.writeHead(429).end(), 503, 'tool_server_unavailable'],
    [
      'ends its event stream without an answer',
      (_req, res) => res.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(': \n\n'),
      503,
      'tool_server_unavailable',
    ],
    ['knows neither revision', (_req, res) => res.writeHead(400).end(), 502, 'tool_server_error'],
    [
      'wants headers that the hub does not send',
      (_req, res) => sendJson(res, 400, { error: { code: -32020, message: 'Mcp-Param-X' } }),
      502,
      'tool_server_error',
    ],
    [
      'asks a question',
      (_req, res, body) =>
        sendJson(res, 200, {
          jsonrpc: '2.0',
          id: JSON.parse(body).id,
          result: { resultType: 'input_required' },
        }),
      502,
      'tool_server_error',
    ],
  ])('%s is reported as such', async (_case, mcp, status, code) => {
    scene.toolServer.misbehaviour = { mcp };
    const res = await call();
    expect([res.status, res.body.code]).toEqual([status, code]);
    expect(res.get('Retry-After')).toBe(status === 503 ? '5' : undefined);
    expect(res.text).not.toContain('stack trace');
  });

  it('leaves its event stream open does not delay the response', async () => {
    scene.toolServer.misbehaviour = {
      mcp(_req, res, body) {
        res.writeHead(200, { 'Content-Type': 'text/event-stream' });
        res.write(`data: {"jsonrpc":"2.0","id":${JSON.parse(body).id},"result":{"content":[]}}\n\n`);
      },
    };
    expect((await call()).body).toEqual({ content: [] });
  });

  it.each<[string, Handler]>([
    ['never answers', () => {}],
    ['answers drop by drop', (_req, res) => drip(res)],
  ])('%s is no longer waited for at the deadline', async (_case, mcp) => {
    await scene.stop();
    scene = await createScene({ app: { toolCallTimeoutMs: 300 } });
    scene.toolServer.misbehaviour = { mcp };
    const res = await call(await scene.idTokenOf('user_alice'));
    expect([res.status, res.body.code]).toEqual([503, 'tool_server_unavailable']);
  });

  it('puts our token into an error does not reveal it', async () => {
    scene.toolServer.misbehaviour = {
      mcp(req, res, body) {
        const { id, method } = JSON.parse(body);
        const token = req.headers.authorization ?? '';
        if (method === 'tools/list')
          sendJson(res, 200, { jsonrpc: '2.0', id, result: { tools: [{ name: 'whoami' }] } });
        else sendJson(res, 200, { jsonrpc: '2.0', id, error: { code: -32602, message: `bad: ${token}` } });
      },
    };
    const res = await call();
    expect([res.status, res.body.code, res.body.errors]).toEqual([400, 'invalid_arguments', []]);
  });

  it('has endless pages of tools is read up to a limit', async () => {
    let pages = 0;
    scene.toolServer.misbehaviour = {
      mcp(_req, res, body) {
        pages += 1;
        sendJson(res, 200, {
          jsonrpc: '2.0',
          id: JSON.parse(body).id,
          result: { tools: [], nextCursor: `${pages}` },
        });
      },
    };
    const res = await request(scene.app)
      .get('/api/v1/connectors/con_tools/tools')
      .set('Authorization', `Bearer ${alice}`);
    expect([res.status, res.body.code, pages]).toEqual([502, 'tool_server_error', 20]);
  });
});

function drip(res: Parameters<Handler>[1]): void {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => res.write(' '), 50);
  res.on('close', () => clearInterval(timer));
}
