import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@legate/testing';
import { Agent } from 'undici';
import { createMcpClient, type McpAnswer, type OpenMcpClient } from './index.ts';

/** Tests that the client ends its sessions at tool servers when it gives them up. */

interface Message {
  readonly id?: number;
  readonly method: string;
}

type Method = 'tools/call' | 'resources/read' | 'server/discover';

const HOUR_MS = 3_600_000;
let opened: string[] = [];
let ended: IncomingHttpHeaders[] = [];
let takesHandshake: () => Promise<void>;
let takesCall: (session: string) => Promise<void>;
let nextId: () => string;
let takesEnd: (res: ServerResponse) => void;
let givesSessions: boolean;
let isKnown: (session: string) => boolean;
const server = createServer((req, res) => void answer(req, res));

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const session = String(req.headers['mcp-session-id']);
  if (req.method === 'DELETE') {
    ended.push(req.headers);
    return takesEnd(res);
  }
  let body = '';
  for await (const chunk of req) body += chunk;
  const { id, method } = JSON.parse(body) as Message;
  const send = (status: number, message: object, headers: object = {}) =>
    void res
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
  if (method === 'server/discover')
    return send(200, { error: { code: -32601, message: 'Method not found' } });
  if (method === 'initialize') {
    await takesHandshake();
    const name = nextId();
    if (givesSessions) opened.push(name);
    const result = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      serverInfo: { name: 'x', version: '1' },
    };
    return send(200, { result }, givesSessions ? { 'Mcp-Session-Id': name } : {});
  }
  if (id === undefined) return void res.writeHead(202).end();
  if (givesSessions && !isKnown(session))
    return send(404, { id: null, error: { code: -32001, message: 'Session not found' } });
  if (method === 'resources/read') return send(400, { error: { code: -32602, message: 'no such resource' } });
  if (method === 'tools/call') await takesCall(session);
  return send(200, { result: { content: [] } });
}

let dispatcher: Agent;
let client: OpenMcpClient;
let nowMs = 0;
beforeEach(async () => {
  opened = [];
  ended = [];
  nowMs = 0;
  givesSessions = true;
  takesHandshake = async () => {};
  takesCall = async () => {};
  nextId = () => `session-${opened.length + 1}`;
  takesEnd = (res) => void res.writeHead(204).end();
  isKnown = (session) => opened.includes(session) && !endedIds().includes(session);
  dispatcher = new Agent();
  client = createMcpClient({
    client: { name: 'test', version: '1' },
    dispatcher,
    pause: async () => {},
    clock: () => new Date(nowMs),
    maxBytes: 65_536,
    onListChanged: () => {},
    noMemory: () => new Error('no memory'),
    sessionNames: (owner) => [`all of ${owner.split(' ')[0]}`],
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await client.close();
  await dispatcher.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const endedAre = (...expected: string[]) =>
  eventually('the ends of sessions', () => endedIds(), { until: (ids) => ids.join() === expected.join() });
const endedIds = () => ended.map((headers) => headers['mcp-session-id']);
const call = (
  owner: string,
  { accessToken = `token of ${owner}`, method = 'tools/call' as Method } = {},
): Promise<McpAnswer> =>
  client(
    {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
      credential: { kind: 'access_token', accessToken },
      owner,
      deadline: performance.now() + 30_000,
    },
    method === 'server/discover'
      ? { method, params: '{}' }
      : { method, name: 'pay', params: '{"name":"pay"}' },
  );

function defer(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

it('ends only the sessions of the given owner or name', async () => {
  for (const owner of ['alice notes', 'alice sites', 'bob notes']) await call(owner);
  client.endSessions('alice notes');
  await endedAre('session-1');
  client.endSessions('all of alice');
  client.endSessions('all of alice');
  await endedAre('session-1', 'session-2');
  expect(ended[1]).toMatchObject({
    authorization: 'Bearer token of alice sites',
    'mcp-protocol-version': '2025-06-18',
  });
  await call('bob notes');
  await call('alice notes');
  expect(opened).toHaveLength(4);
});

it('ends all sessions when the client is closed', async () => {
  for (const owner of ['alice', 'bob', 'carol']) await call(owner);
  await client.close();
  expect(endedIds().sort()).toEqual(opened);
});

it('ends an hour-old unused session at the next lookup, with the new credential', async () => {
  await call('alice');
  nowMs += HOUR_MS - 1;
  await call('alice');
  expect([opened.length, ended.length]).toEqual([1, 0]);
  nowMs += HOUR_MS;
  await call('alice', { accessToken: 'new' });
  await endedAre('session-1');
  expect([opened.length, ended[0]?.authorization]).toEqual([2, 'Bearer new']);
});

it('keeps one session for calls that begin at the same time, and ends the others', async () => {
  const barrier = defer();
  let running = 0;
  const sessions = new Set<string>();
  takesCall = (session) => {
    sessions.add(session);
    running += 1;
    if (running === 5) barrier.resolve();
    return barrier.promise;
  };
  await Promise.all(Array.from({ length: 5 }, () => call('alice')));
  expect(sessions.size).toBe(1);
  await client.close();
  await eventually('the end of all', endedIds, { until: (ids) => ids.length === opened.length });
  expect(new Set(endedIds())).toEqual(new Set(opened));
});

it('ends a session with a running call after the call has finished', async () => {
  const begun = defer();
  const end = defer();
  takesCall = () => {
    begun.resolve();
    return end.promise;
  };
  const running = call('alice');
  await begun.promise;
  client.endSessions('alice');
  expect(ended).toEqual([]);
  end.resolve();
  expect(await running).toMatchObject({ kind: 'result' });
  await endedAre('session-1');
});

it.each<[Method, string]>([
  ['tools/call', 'alice'],
  ['tools/call', 'all of alice'],
  ['server/discover', 'alice'],
])('ends all sessions that %s opens if %s is given up during the handshake', async (method, name) => {
  const begun = defer();
  const go = defer();
  takesHandshake = () => {
    begun.resolve();
    return go.promise;
  };
  const running = call('alice', { method });
  await begun.promise;
  client.endSessions(name);
  client.endSessions('bob');
  go.resolve();
  expect(await running).toMatchObject({ kind: 'result' });
  const before = [...opened];
  await endedAre(...before);
  await call('alice');
  await call('alice');
  expect([opened.length, endedIds()]).toEqual([before.length + 1, before]);
});

it('does not end a session whose id the server has issued again', async () => {
  nextId = () => 'the same';
  await call('alice notes');
  await call('alice notes', { method: 'server/discover' });
  await call('alice sites');
  expect(opened).toHaveLength(3);
  client.endSessions('alice notes');
  await call('alice sites');
  client.endSessions('alice sites');
  await endedAre('the same');
  expect(ended[0]).toMatchObject({ authorization: 'Bearer token of alice sites' });
  expect(opened).toHaveLength(3);
});

it('keeps using a session after a request in it is refused', async () => {
  await call('alice');
  expect(await call('alice', { method: 'resources/read' })).toMatchObject({ kind: 'error' });
  await call('alice');
  expect([opened.length, ended.length]).toEqual([1, 0]);
});

it('does not end a session that its server has lost', async () => {
  await call('alice');
  const known = isKnown;
  isKnown = (session) => session !== 'session-1' && known(session);
  await call('alice');
  await client.close();
  expect([opened, endedIds()]).toEqual([['session-1', 'session-2'], ['session-2']]);
});

it('sends no DELETE to a server without sessions', async () => {
  givesSessions = false;
  await call('alice');
  client.endSessions('alice');
  await client.close();
  expect(ended).toEqual([]);
});

it.each<[string, (res: ServerResponse) => void]>([
  ['405', (res) => void res.writeHead(405).end()],
  ['500', (res) => void res.writeHead(500).end('<html>')],
  ['a closed connection', (res) => void res.destroy()],
  ['nothing', () => undefined],
  [
    'a stream that does not end',
    (res) => void res.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n'),
  ],
])('continues, and can be closed, if the server responds to the DELETE with %s', async (_what, take) => {
  takesEnd = take;
  await call('alice');
  client.endSessions('alice');
  expect(await call('alice')).toMatchObject({ kind: 'result' });
  await client.close();
  expect(endedIds()).toEqual(opened);
});
