import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AgentsScene, createAgentsScene } from '../../testing/agents-scene.ts';
import type { Handler } from '../../testing/http-server.ts';
import { type Script, type ScriptedRequest, scriptedMcp } from '../../testing/scripted-mcp.ts';

let scene: AgentsScene;
let alice: string;
beforeAll(async () => {
  scene = await createAgentsScene();
});
beforeEach(async () => {
  alice = await scene.idTokenOf('user_alice');
});
afterEach(() => scene.clock.advanceSeconds(3601)); // the hub detects the era of a server again
afterAll(() => scene.stop());

const serve = (mcp: Handler) => {
  scene.toolServer.misbehaviour = { mcp };
};
const script = (methods: Script, era: 'modern' | 'legacy') => serve(scriptedMcp(methods, era));

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const META = { [VERSION]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const MODERN = {
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'con-tools_x',
};
const LEGACY = { 'MCP-Protocol-Version': '2025-11-25' };
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

async function call(era: 'modern' | 'legacy', meta: object = {}) {
  const params = { name: 'con-tools_x', arguments: {}, _meta: { ...(era === 'modern' && META), ...meta } };
  const answer = await scene.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    { token: alice, headers: era === 'modern' ? MODERN : LEGACY },
  );
  const text = await answer.text();
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return [JSON.parse(text)];
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
}
const logsOf = (messages: { method?: string; params?: unknown }[]) =>
  messages.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);

describe('a request of a tool server of an older revision during a call', () => {
  it.each([
    ['ping', { result: {} }],
    ['sampling/createMessage', { error: { code: -32601, message: 'Method not found' } }],
    ['elicitation/create', { error: { code: -32601, message: 'Method not found' } }],
    ['roots/list', { error: { code: -32601, message: 'Method not found' } }],
  ])('gets a response at once (%s), and the call continues', async (method, expected) => {
    let asking: ScriptedRequest | undefined;
    script(
      {
        'tools/call': (request) => {
          asking = request;
          request.event({ id: 'theirs-1', method });
          return undefined;
        },
        response: ({ id, params, headers }) => {
          const isOfCall = headers['x-request-id'] === asking?.headers['x-request-id'];
          const said = { id, params, session: headers['mcp-session-id'], isOfCall };
          const result = { content: [{ type: 'text', text: JSON.stringify(said) }] };
          asking?.event({ id: asking.id, result });
          asking?.res.end();
          return undefined;
        },
      },
      'legacy',
    );
    const [{ result }] = await call('legacy');
    expect(JSON.parse(result.content[0].text)).toEqual({
      id: 'theirs-1',
      params: { jsonrpc: '2.0', ...expected },
      session: 'session-1',
      isOfCall: true, // whichever request opened the connection that the server used
    });
  });
});

describe.each(['modern', 'legacy'] as const)('a log message of a %s tool server', (server) => {
  const log = (request: ScriptedRequest, params: object) =>
    request.event({ method: 'notifications/message', params });

  it('is sent to an agent that requests its level or a lower one', async () => {
    let level: unknown;
    script(
      {
        'tools/call': (request) => {
          level = request.params._meta?.[LOG_LEVEL];
          log(request, { level: 'debug', data: 'a detail' });
          log(request, { level: 'error', logger: 'db', data: { n: 1 } });
          return { content: [] };
        },
      },
      server,
    );
    const messages = await call('modern', { [LOG_LEVEL]: 'warning' });
    expect(logsOf(messages)).toEqual([{ level: 'error', logger: 'db', data: { n: 1 } }]);
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [] } });
    expect(level).toBe(server === 'modern' ? 'warning' : undefined);
  });

  it('is sent only on request, and never reveals the token of the call', async () => {
    script(
      {
        'tools/call': (request) => {
          log(request, { level: 'error', data: String(request.headers.authorization) });
          return { content: [] };
        },
      },
      server,
    );
    for (const messages of [await call('modern'), await call('modern', { [LOG_LEVEL]: 'debug' })])
      expect(messages).toMatchObject([{ id: 1, result: { content: [] } }]);
  });

  it('is dropped after 100 messages, or after 64 KiB', async () => {
    let data = 'x';
    script(
      {
        'tools/call': (request) => {
          for (let count = 0; count < 120; count += 1) log(request, { level: 'info', data });
          return { content: [] };
        },
      },
      server,
    );
    expect(logsOf(await call('modern', { [LOG_LEVEL]: 'info' })).length).toBe(100);
    data = 'x'.repeat(700);
    const few = logsOf(await call('modern', { [LOG_LEVEL]: 'info' }));
    expect(few.length).toBe(Math.floor(65_536 / JSON.stringify(message({ level: 'info', data })).length));
  });
});

const message = (params: object) => ({ jsonrpc: '2.0', method: 'notifications/message', params });

it('refuses an invalid log level', async () => {
  expect(await call('modern', { [LOG_LEVEL]: 'loud' })).toMatchObject([{ error: { code: -32602 } }]);
});

describe('a stream that a tool server of an older revision closes before the response', () => {
  const result = { content: [{ type: 'text', text: 'late' }] };

  it('is resumed at the last event, as the same user, until the response arrives', async () => {
    const seen: unknown[] = [];
    let requestId = 0;
    serve((req, res, body) => {
      const stream = (text: string) => res.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(text);
      if (req.method === 'GET') {
        const { authorization, 'last-event-id': place, 'mcp-session-id': session } = req.headers;
        seen.push([authorization?.startsWith('Bearer '), place, session]);
        if (seen.length === 1) return void stream('id: e2\nretry: 1\ndata: \n\n');
        return void stream(`id: e3\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: requestId, result })}\n\n`);
      }
      const { id, method } = JSON.parse(body);
      if (method !== 'tools/call' || req.headers['mcp-method'])
        return void scriptedMcp({}, 'legacy')(req, res, body);
      requestId = id;
      stream('id: e1\nretry: 1\ndata: \n\n');
    });
    expect(await call('legacy')).toMatchObject([{ id: 1, result }]);
    expect(seen).toEqual([
      [true, 'e1', 'session-1'],
      [true, 'e2', 'session-1'],
    ]);
  });

  it.each([
    ['it does not support streams by GET', 405, 'id: e1\nretry: 1\ndata: \n\n'],
    ['it never answers', 200, 'id: e1\nretry: 1\ndata: \n\n'],
    ['it has sent no event id', 200, ': nothing\n\n'],
  ])('is reported as an outage if %s', async (_case, status, text) => {
    let streams = 0;
    serve((req, res, body) => {
      const isCall = req.method === 'GET' || JSON.parse(body).method === 'tools/call';
      if (!isCall || req.headers['mcp-method']) return void scriptedMcp({}, 'legacy')(req, res, body);
      streams += 1;
      if (req.method === 'GET' && status !== 200) return void res.writeHead(status).end();
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(text);
    });
    const [{ result: denied }] = await call('legacy');
    expect(denied._meta['legate/problem']).toMatchObject({ code: 'tool_server_unavailable' });
    expect(streams).toBeLessThanOrEqual(11);
  });
});
