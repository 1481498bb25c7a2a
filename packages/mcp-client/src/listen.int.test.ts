import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { activeRequest, runInRequest } from '@legate/service/outbound';
import { Agent } from 'undici';
import { createMcpListen, type SubscriptionEvents } from './listen.ts';

let server: Server;
let dispatcher: Agent;
let leave: () => void = () => undefined;
afterEach(async () => {
  leave();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await dispatcher.destroy();
});

type Answer = (res: ServerResponse, id: number | undefined, req: IncomingMessage) => void;

/**
 * Listens at a server that responds with `answer`; `before` runs when it is up. @returns the response, the
 * notifications in order, and the end of the stream
 */
async function listen(answer: Answer, timeoutMs = 5000, before?: (origin: string) => Promise<void>) {
  server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += String(chunk);
    answer(res, JSON.parse(body).id, req);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  dispatcher = new Agent({ connections: 1 });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await before?.(origin);
  const notified: unknown[] = [];
  const active: (string | undefined)[] = [];
  const cleared: unknown[] = [];
  let onEnd: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve;
  });
  const events: SubscriptionEvents = {
    onListChanged(kinds) {
      notified.push(kinds);
      active.push(activeRequest()?.requestId);
    },
    onResourceUpdated: (uri) => void notified.push(uri),
    onEnd() {
      active.push(activeRequest()?.requestId);
      onEnd();
    },
  };
  const listeners = new Set<() => void>();
  const presence = {
    hasLeft: false,
    onLeave: (listener: () => void) => void listeners.add(listener),
    offLeave: (listener: () => void) => void listeners.delete(listener),
  };
  leave = () => {
    for (const listener of listeners) listener();
  };
  const open = createMcpListen({
    client: { name: 'hub', version: '1' },
    dispatcher,
    onListChanged: (_url, kinds) => void cleared.push(kinds),
  });
  const got = await open(
    {
      url: `${origin}/mcp`,
      credential: { kind: 'access_token', accessToken: 'the-token-of-alice' },
      owner: 'alice',
      deadline: performance.now() + timeoutMs,
      presence,
    },
    { method: 'subscriptions/listen', params: '{"notifications":{"toolsListChanged":true}}' },
    events,
  );
  return { got, notified, active, cleared, ended };
}

const stream = (res: ServerResponse) => res.writeHead(200, { 'Content-Type': 'text/event-stream' });
const event = (res: ServerResponse, message: object) =>
  res.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
const acknowledge = (res: ServerResponse, notifications: unknown = { toolsListChanged: true }) =>
  event(stream(res), { method: 'notifications/subscriptions/acknowledged', params: { notifications } });
const notify = (res: ServerResponse, name: string, params: object = {}) =>
  event(res, { method: `notifications/${name}`, params });

it('returns the acknowledged filter, and then reports notifications until the server ends the stream', async () => {
  const { got, notified, cleared, ended } = await listen((res, id) => {
    acknowledge(res);
    notify(res, 'tools/list_changed');
    notify(res, 'tools/list_changed');
    notify(res, 'resources/list_changed');
    notify(res, 'resources/updated', { uri: 'notes://1' });
    notify(res, 'prompts/list_changed', { echo: 'the-token-of-alice' });
    event(res, { id, result: { resultType: 'complete' } });
  });
  expect(got).toMatchObject({ kind: 'result', result: { toolsListChanged: true } });
  await ended;
  expect(notified).toEqual([['tools'], ['tools'], ['resources', 'resourceTemplates'], 'notes://1']);
  expect(cleared).toEqual(notified.slice(0, 3));
});

it('reports a notification within the request that listens, even if another one opened the connection', async () => {
  const within = <T>(requestId: string, work: () => T): T =>
    runInRequest({ requestId, trace: undefined, tracer: undefined }, work);
  const answer: Answer = (res, id) => {
    if (id === undefined) return void res.end();
    acknowledge(res);
    notify(res, 'tools/list_changed');
    event(res, { id, result: { resultType: 'complete' } });
  };
  const { active, ended } = await within('req_listens', () =>
    listen(answer, 5000, (origin) =>
      within('req_opens', async () => {
        const { body } = await dispatcher.request({ origin, path: '/', method: 'POST', body: '{}' });
        await body.dump();
      }),
    ),
  );
  await ended;
  expect(active).toEqual(['req_listens', 'req_listens']);
});

it.each<[string, Answer, object]>([
  [
    'an error as JSON',
    (res, id) =>
      void res
        .writeHead(404, { 'Content-Type': 'application/json' })
        .end(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"no"}}`),
    { kind: 'error', code: -32601 },
  ],
  [
    'an error in the stream',
    (res, id) => void event(stream(res), { id, error: { code: -32603, message: 'x' } }),
    { kind: 'error', code: -32603 },
  ],
  ['a refused token', (res) => void res.writeHead(401).end(), { kind: 'unauthorized' }],
  [
    'the refusal of an older server',
    (res) => void res.writeHead(400).end('Bad Request'),
    { kind: 'rejected', status: 400 },
  ],
  [
    'a result without an acknowledgement',
    (res, id) => void event(stream(res), { id, result: {} }),
    { kind: 'unusable' },
  ],
  ['an acknowledgement that cannot be read', (res) => void acknowledge(res, 7), { kind: 'unusable' }],
  ['an end without an answer', (res) => void stream(res).end(), { kind: 'unavailable' }],
  ['an endless event', (res) => void stream(res).write(`data: ${'x'.repeat(70_000)}`), { kind: 'unusable' }],
])('returns the outcome of %s', async (_case, answer, expected) => {
  expect((await listen(answer)).got).toMatchObject(expected);
});

it('gives up on a server that does not acknowledge the request in time', async () => {
  expect((await listen((res) => void stream(res).write(': wait\n\n'), 300)).got).toMatchObject({
    kind: 'unavailable',
    reason: 'it did not answer in time',
  });
});

it('ends a stream that sends more than 1 MiB', async () => {
  const { ended } = await listen((res) => {
    acknowledge(res);
    for (let i = 0; i < 20; i += 1) notify(res, 'resources/updated', { uri: 'x'.repeat(60_000) });
  });
  await ended;
});

it('closes the connection when its caller leaves, and does not report the end', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const { ended } = await listen((res) => {
    closed = once(res, 'close');
    acknowledge(res);
  });
  leave();
  await closed;
  expect(await Promise.race([ended.then(() => 'ended'), Promise.resolve('not ended')])).toBe('not ended');
});
