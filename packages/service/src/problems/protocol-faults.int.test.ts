import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@legate/testing';
import express, { type Response } from 'express';
import {
  accessLog,
  createExpressApp,
  createHttpServer,
  createLogger,
  createMetrics,
  problemHandler,
  requestContext,
} from '../index.ts';

let server: Server;
let lines: Record<string, unknown>[];
let metrics: ReturnType<typeof createMetrics>;
/** The response of `/slow` and `/stream`, which the test ends. */
let waiting: Promise<Response>;

beforeEach(async () => {
  lines = [];
  metrics = createMetrics('t');
  const log = createLogger({
    service: 't',
    level: 'debug',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const app = createExpressApp();
  app.use(requestContext(), accessLog(log), metrics.observeRequests);
  app.get('/hello', (_req, res) => void res.send('hello'));
  app.post('/echo', express.json(), (req, res) => void res.json(req.body));
  waiting = new Promise((resolve) => {
    app.all('/slow', (_req, res) => resolve(res));
    app.all('/stream', (_req, res) => {
      res.write('begun');
      resolve(res);
    });
  });
  app.use(problemHandler({ log, typeBase: 'https://h/errors' }));
  server = createHttpServer(app, { log, metrics, typeBase: 'https://h/errors' });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function open(): Promise<{ socket: Socket; text: () => string; closed: Promise<unknown> }> {
  if (!server.listening) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => undefined); // the test detects a cut connection by the bytes received
  return { socket, text: () => text, closed: once(socket, 'close') };
}

/** Everything that the server sends until it closes the connection. */
async function send(bytes: string): Promise<string> {
  const { socket, text, closed } = await open();
  socket.write(bytes, 'latin1');
  await closed;
  return text();
}

function parse(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [statusLine, ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [field.split(':')[0]?.toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
  );
  return { statusLine, headers, body: JSON.parse(body) as Record<string, unknown> };
}

async function counted(code: string): Promise<number | undefined> {
  const { values } = (await metrics.registry.getSingleMetric('http_protocol_faults_total')?.get()) ?? {};
  return values?.find(({ labels }) => labels.code === code)?.value;
}

const POST = 'POST /echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n';
const LONG = 'a'.repeat(20_000);

it.each([
  ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'malformed_request'],
  ['words', 'hello there\r\n\r\n', 400, 'malformed_request'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'malformed_request'],
  ['an unknown method', 'BREW /hello HTTP/1.1\r\nHost: h\r\n\r\n', 400, 'malformed_request'],
  ['a line break in a header', 'GET /hello HTTP/1.1\r\nHost: h\r\nA: b\nC\r\n\r\n', 400, 'malformed_request'],
  ['no Host', 'GET /hello HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
  ['two Hosts', 'GET /hello HTTP/1.1\r\nHost: h\r\nhOST: i\r\n\r\n', 400, 'malformed_request'],
  ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`, 400, 'malformed_request'],
  [
    'a length and chunks',
    `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'malformed_request',
  ],
  [
    'a bad chunk in the body',
    `${POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`,
    400,
    'malformed_request',
  ],
  [
    'an endless chunk extension',
    `${POST}Transfer-Encoding: chunked\r\n\r\n2;${LONG}\r\n{}`,
    413,
    'payload_too_large',
  ],
  ['a long URL', `GET /${LONG} HTTP/1.1\r\nHost: h\r\n\r\n`, 431, 'headers_too_large'],
  ['long headers', `GET /hello HTTP/1.1\r\nHost: h\r\nA: ${LONG}\r\n\r\n`, 431, 'headers_too_large'],
  [
    'an expectation that nobody meets',
    'GET /hello HTTP/1.1\r\nHost: h\r\nExpect: tea\r\n\r\n',
    417,
    'expectation_failed',
  ],
  ['a request for a proxy', 'CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n', 405, 'method_not_allowed'],
])(
  'responds to %s with a problem, counts it and closes the connection',
  async (_case, bytes, status, code) => {
    const { statusLine, headers, body } = parse(await send(bytes));
    expect(statusLine).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\S`));
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': String(JSON.stringify(body).length),
      'cache-control': 'no-store',
      connection: 'close',
      date: expect.stringMatching(/ GMT$/),
    });
    expect(body).toEqual({
      type: `https://h/errors/${code}`,
      title: expect.any(String),
      status,
      code,
      request_id: headers['x-request-id'],
    });
    expect(headers['x-request-id']).toMatch(/^req_[0-9a-f-]{36}$/);
    expect(headers.allow).toBe(status === 405 ? '' : undefined);
    expect(await counted(code)).toBe(1);
    const noted = lines.filter(({ msg }) => msg === 'request refused by the server');
    expect(noted).toEqual([expect.objectContaining({ level: 'debug', code, request_id: body.request_id })]);
  },
);

it.each([
  ['headers', 'GET /hello HTTP/1.1\r\nHost: h\r\nA: b'],
  ['body', `${POST}Content-Length: 100\r\n\r\n{`],
  ['first byte', ''],
])('returns 408 for a request whose %s does not arrive in time', async (_case, bytes) => {
  Object.assign(server, { headersTimeout: 60, requestTimeout: 60, connectionsCheckingInterval: 20 });
  const { statusLine, body } = parse(await send(bytes));
  expect([statusLine, body.code]).toEqual(['HTTP/1.1 408 Request Timeout', 'request_timeout']);
  expect(await counted('request_timeout')).toBe(1);
});

it("sends a refusal with the request's id and status in the body", async () => {
  const { body } = parse(
    await send(`${POST}X-Request-Id: trace-4711\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`),
  );
  expect(body.request_id).toMatch(/^req_[0-9a-f-]{36}$/);
  await eventually('the request in the log', () => lines.some(({ msg }) => msg === 'request'));
  expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({
    request_id: body.request_id,
    caller_request_id: 'trace-4711',
    status: 400,
  });
});

it('writes nothing into a response that has begun', async () => {
  const { socket, text, closed } = await open();
  socket.write('POST /stream HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
  await waiting;
  socket.write('zz\r\n');
  await closed;
  expect(text()).toContain('200 OK');
  expect(text()).not.toContain('problem+json');
  expect(await counted('malformed_request')).toBe(1);
});

it('responds only once to a request whose body is not read, even if that body is malformed', async () => {
  const { socket, text, closed } = await open();
  socket.write('POST /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n');
  (await waiting).status(401).send('no');
  await once(socket, 'data');
  socket.write('zz\r\n');
  await closed;
  expect(text().match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
});

it('sends the response to a valid request before the refusal of the bytes after it', async () => {
  const { socket, text, closed } = await open();
  socket.write('GET /slow HTTP/1.1\r\nHost: h\r\n\r\nnonsense\r\n\r\n');
  const response = await waiting;
  await eventually('the count of the fault', async () => (await counted('malformed_request')) === 1);
  expect(text()).toBe('');
  response.send('the answer');
  await closed;
  expect(text()).toMatch(
    /^HTTP\/1\.1 200 OK[\s\S]*the answerHTTP\/1\.1 400 Bad Request[\s\S]*malformed_request/,
  );
});

it('reads further bytes after a refusal, and does not refuse them again', async () => {
  const { socket, text, closed } = await open();
  socket.write('nonsense\r\n\r\n');
  await once(socket, 'data');
  socket.write(`${LONG}\r\n\r\n`);
  await closed;
  expect(text().match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  expect(await counted('malformed_request')).toBe(1);
});

it.each([
  ['breaks', (socket: Socket) => void socket.resetAndDestroy()],
  ['is closed by its client', (socket: Socket) => void socket.end()],
])(
  'does not count a connection that %s in the middle of a request, and keeps running',
  async (_case, leave) => {
    const { socket, closed } = await open();
    socket.write(`${POST}Content-Length: 100\r\n\r\n{`, () => leave(socket));
    await closed;
    expect(await send('GET /hello HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')).toContain('hello');
    for (const code of ['malformed_request', 'request_timeout']) expect(await counted(code)).toBe(0);
  },
);

it.each([
  [
    'an upgrade that is not offered',
    'GET /hello HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: upgrade, close',
  ],
  ['HTTP/1.0 without Host', 'GET /hello HTTP/1.0'],
  ['a target in absolute form', 'GET http://h/hello HTTP/1.1\r\nHost: h\r\nConnection: close'],
])('responds to %s as to any request', async (_case, head) => {
  expect(await send(`${head}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*hello$/);
});
