import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@legate/testing';
import { Agent } from 'undici';
import { createMcpClient, type OpenMcpClient } from './index.ts';

/**
 * Tests that a call is not sent again, whatever the tool server answers, unless it is certain that the server did not
 * execute it.
 */

interface Message {
  readonly id?: number;
  readonly method: string;
}
type Answer = (message: Message, res: ServerResponse, req: IncomingMessage) => void;

let answer: Answer;
let seen: string[] = [];
/** Sessions that were ended with DELETE */
let ended: string[] = [];
let nowMs = 0;
const server = createServer(async (req, res) => {
  if (req.method === 'DELETE') {
    ended.push(String(req.headers['mcp-session-id']));
    return void res.writeHead(204).end();
  }
  let body = '';
  for await (const chunk of req) body += chunk;
  const message = JSON.parse(body) as Message;
  seen.push(message.method);
  answer(message, res, req);
});

let dispatcher: Agent;
let client: OpenMcpClient;
beforeEach(async () => {
  seen = [];
  ended = [];
  nowMs = 0;
  dispatcher = new Agent();
  client = createMcpClient({
    client: { name: 'test', version: '1' },
    dispatcher,
    pause: async () => {},
    clock: () => new Date(nowMs),
    maxBytes: 65_536,
    onListChanged: () => {},
    noMemory: () => new Error('no memory'),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await dispatcher.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const ask = (method: 'tools/call' | 'tools/list' | 'server/discover') =>
  client(
    {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
      credential: { kind: 'access_token', accessToken: 'token' },
      owner: 'alice',
      deadline: performance.now() + 30_000,
    },
    method === 'tools/call' ? { method, name: 'pay', params: '{"name":"pay"}' } : { method, params: '{}' },
  );
const calls = () => seen.filter((method) => method === 'tools/call').length;

function send(res: ServerResponse, status: number, body: object | string, headers: object = {}): void {
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  res.writeHead(status, { 'content-type': type, ...headers });
  res.end(typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...body }));
}

const FAILED = { code: -32000, message: 'the account is empty' };
const REFUSALS: readonly [
  what: string,
  refuse: (status: number, message: Message, res: ServerResponse) => void,
][] = [
  ['an error with our id', (status, { id }, res) => send(res, status, { id, error: FAILED })],
  ['an error without an id', (status, _message, res) => send(res, status, { id: null, error: FAILED })],
  ['an error with another id', (status, _message, res) => send(res, status, { id: 'x', error: FAILED })],
  ['a page', (status, _message, res) => send(res, status, '<p>No</p>')],
  ['nothing', (status, _message, res) => void res.writeHead(status).end()],
];
const STATUSES = [400, 404, 405, 406, 409, 410, 415, 422, 428, 500];
const CASES = REFUSALS.flatMap(([what, refuse]) => STATUSES.map((status) => [what, status, refuse] as const));

const shakesHands =
  (onCall: Answer, options: { session?: () => string; revision?: string } = {}): Answer =>
  (message, res, req) => {
    const { id, method } = message;
    if (method === 'initialize')
      return send(
        res,
        200,
        {
          id,
          result: { protocolVersion: options.revision ?? '2025-06-18', capabilities: {}, serverInfo: {} },
        },
        options.session && { 'mcp-session-id': options.session() },
      );
    if (req.headers['mcp-method'] !== undefined)
      return send(res, 400, { id: null, error: { code: -32000, message: 'Bad Request' } });
    if (id === undefined) return void res.writeHead(202).end();
    if (method === 'ping' && !options.session) return send(res, 200, { id, result: {} });
    onCall(message, res, req);
  };

const done: Answer = ({ id }, res) => send(res, 200, { id, result: { content: [] } });

describe.each(CASES)('a call that is refused with %s and status %i', (_what, status, refuse) => {
  it('runs once at a server whose revision is unknown', async () => {
    answer = (message, res) => {
      if (message.method === 'tools/call') return refuse(status, message, res);
      send(res, 200, { id: message.id, result: { protocolVersion: '2025-06-18' } });
    };
    await ask('tools/call');
    expect(calls()).toBe(1);
  });

  it('runs once at a server that refuses every request', async () => {
    answer = (message, res) => refuse(status, message, res);
    await ask('tools/call');
    expect(calls()).toBe(1);
  });

  it('runs once at a server of an older revision without sessions', async () => {
    answer = shakesHands((message, res) => refuse(status, message, res));
    await ask('tools/call');
    await ask('tools/call');
    expect(calls()).toBe(2);
  });

  it('runs once in a session that the server still accepts', async () => {
    answer = shakesHands(
      (message, res) =>
        message.method === 'ping'
          ? send(res, 200, { id: message.id, result: {} })
          : refuse(status, message, res),
      { session: () => 'session-1' },
    );
    await ask('tools/call');
    await ask('tools/call');
    expect([calls(), seen.filter((method) => method === 'initialize').length]).toEqual([2, 1]);
  });
});

it.each([400, 404])(
  'a call that fails with %i runs once in a session whose server does not support ping',
  async (status) => {
    answer = shakesHands(
      ({ id, method }, res) =>
        method === 'ping'
          ? send(res, status, { id, error: { code: -32601, message: 'Method not found' } })
          : send(res, status, { id: null, error: FAILED }),
      { session: () => 'session-1' },
    );
    await ask('tools/call');
    await ask('tools/call');
    expect([calls(), seen.filter((method) => method === 'initialize').length]).toEqual([2, 1]);
  },
);

describe('a session that the server has lost', () => {
  let lost: Set<string>;
  let opened: number;
  const served = (refuse: Answer): Answer =>
    shakesHands(
      (message, res, req) =>
        lost.has(String(req.headers['mcp-session-id'])) ? refuse(message, res, req) : done(message, res, req),
      { session: () => `session-${++opened}` },
    );
  beforeEach(() => {
    lost = new Set();
    opened = 0;
  });

  it.each<[string, Answer]>([
    [
      '404 without an id',
      (_message, res) => send(res, 404, { id: null, error: { code: -32001, message: 'no' } }),
    ],
    ['404 with an id of its own', (_message, res) => send(res, 404, { id: 'server-error', error: FAILED })],
    ['404 and a page', (_message, res) => send(res, 404, '<p>Gone</p>')],
    ['400 without an id', (_message, res) => send(res, 400, { id: null, error: FAILED })],
  ])('is replaced, and the call is sent again, after %s', async (_what, refuse) => {
    answer = served(refuse);
    expect((await ask('tools/call')).kind).toBe('result');
    lost.add('session-1');
    expect((await ask('tools/call')).kind).toBe('result');
    expect(opened).toBe(2);
  });

  it('is replaced only for the next call after an error with our id', async () => {
    answer = served(({ id }, res) => send(res, 404, { id, error: FAILED }));
    await ask('tools/call');
    lost.add('session-1');
    expect((await ask('tools/call')).kind).toBe('error');
    expect((await ask('tools/call')).kind).toBe('result');
    expect([calls(), opened]).toEqual([3, 2]);
  });

  it('is replaced and a list is requested again, whatever the error', async () => {
    answer = served(({ id }, res) => send(res, 404, { id, error: FAILED }));
    await ask('tools/list');
    lost.add('session-1');
    expect((await ask('tools/list')).kind).toBe('result');
  });
});

const isEnded = () =>
  eventually('the end of the session', () => ended, { until: ({ length }) => length > 0 });

it.each<[string, 'tools/call' | 'ping', () => unknown]>([
  ['while it runs', 'tools/call', () => client.endSessions('alice')],
  ['while the server is asked for its session', 'ping', () => client.endSessions('alice')],
  ['at the close of the client', 'tools/call', () => client.close().then(isEnded)],
])('a call that fails with 404 runs once if its session is given up %s', async (_when, until, giveUp) => {
  const onCall = async (method: string, res: ServerResponse): Promise<void> => {
    if (method === until) await giveUp();
    if (method === 'ping' && until !== 'ping' && ended.length === 0) return void res.writeHead(202).end();
    send(res, 404, '<p>No such account</p>');
  };
  answer = shakesHands(({ method }, res) => void onCall(method, res), { session: () => 'session-1' });
  expect(await ask('tools/call')).toMatchObject({ status: 404 });
  await isEnded();
  expect([calls(), ended]).toEqual([1, ['session-1']]);
});

describe('a session that is used', () => {
  let opened: number;
  beforeEach(() => {
    opened = 0;
    answer = shakesHands(done, { session: () => `session-${++opened}` });
  });

  it('is kept for hours', async () => {
    for (let calls = 0; calls < 400; calls += 1) {
      nowMs += 30_000;
      expect((await ask('tools/call')).kind).toBe('result');
    }
    expect([opened, calls(), ended]).toEqual([1, 400, []]);
  });

  it('is kept when a request for the server description opens and ends its own session', async () => {
    await ask('tools/call');
    expect((await ask('server/discover')).kind).toBe('result');
    await ask('tools/call');
    expect(opened).toBe(2);
    await eventually('the end of the second session', async () => ended, {
      until: ({ length }) => length > 0,
    });
    expect(ended).toEqual(['session-2']);
  });
});

it.each<[string, Answer]>([
  ['never answered', () => undefined],
  [
    'answered by a stream that stays open',
    (_message, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(': hello\n\n');
    },
  ],
  ['refused', (_message, res) => send(res, 500, '<p>Error</p>')],
])('a call does not wait for a notification that is %s', async (_what, onNotification) => {
  const shaken = shakesHands(done);
  answer = (message, res, req) =>
    message.method === 'notifications/initialized'
      ? onNotification(message, res, req)
      : shaken(message, res, req);
  expect((await ask('tools/call')).kind).toBe('result');
  server.closeAllConnections();
});

it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
  'uses revision %s with a server that offers it',
  async (revision) => {
    answer = shakesHands(done, { revision });
    expect((await ask('tools/call')).kind).toBe('result');
  },
);

it.each([
  ['2024-10-07', 'speaks MCP 2024-10-07'],
  ['DRAFT-7', 'names no MCP revision'],
])('does not call a server that offers revision %s, and reports the reason', async (revision, theirs) => {
  answer = shakesHands(done, { revision });
  const ours = '2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28';
  const unusable = { kind: 'unusable', reason: `it ${theirs}, and not one of ${ours}` };
  expect([await ask('tools/call'), await ask('tools/list'), calls()]).toEqual([unusable, unusable, 0]);
});
