import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { createMcpClient, type McpAnswer } from './index.ts';

/** Intermediaries in front of tool servers: proxies that compress, firewalls that refuse. */

const MAX_BYTES = 65_536;
let seen: IncomingHttpHeaders[] = [];
let answer: (res: ServerResponse, id: number) => void;
const server = createServer(async (req, res) => {
  let body = '';
  for await (const chunk of req) body += chunk;
  seen.push(req.headers);
  answer(res, JSON.parse(body).id);
});
let dispatcher: Agent;
beforeEach(async () => {
  seen = [];
  dispatcher = new Agent();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function list(userAgent?: string): Promise<McpAnswer> {
  const send = createMcpClient({
    client: { name: 'hub', version: '1.2.3', ...(userAgent !== undefined && { userAgent }) },
    dispatcher,
    pause: async () => {},
    clock: () => new Date(),
    maxBytes: MAX_BYTES,
    onListChanged: () => {},
    noMemory: () => new Error('no memory'),
  });
  const { port } = server.address() as AddressInfo;
  return send(
    {
      url: `http://127.0.0.1:${port}/mcp`,
      credential: { kind: 'access_token', accessToken: 'token' },
      owner: 'alice',
      deadline: performance.now() + 30_000,
    },
    { method: 'tools/list', params: '{}' },
  );
}

const RESULT = { tools: [], note: 'ü'.repeat(2000) };
const message = (id: number) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: RESULT }));

it.each([
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['gzip, identity', gzipSync],
  ['Identity,gzip', gzipSync],
  ['identity', (bytes: Buffer) => bytes],
  [' Identity', (bytes: Buffer) => bytes],
])('decodes a response that a proxy has encoded as %s', async (encoding, pack) => {
  answer = (res, id) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
    res.end(pack(message(id)));
  };
  expect(await list()).toMatchObject({ kind: 'result', result: RESULT });
});

it('understands a compressed event stream that does not end', async () => {
  answer = (res, id) => {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    const gzip = createGzip();
    gzip.pipe(res);
    gzip.write(`data: ${message(id)}\n\n`);
    gzip.flush();
  };
  expect(await list()).toMatchObject({ kind: 'result', result: RESULT });
});

it.each<[string, string, Buffer, unknown]>([
  ['a bomb', 'gzip', gzipSync(Buffer.alloc(50_000_000)), 'it answered with more than 65536 bytes'],
  ['what is not compressed', 'gzip', Buffer.from('{}'), expect.stringContaining('not gzip')],
  ['an unknown encoding', 'zstd', Buffer.from('{}'), expect.stringContaining('"zstd"')],
  ['two encodings', 'gzip, br', Buffer.from('{}'), expect.stringContaining('"gzip, br"')],
])('refuses %s', async (_what, encoding, bytes, reason) => {
  answer = (res) => res.writeHead(200, { 'content-encoding': encoding }).end(bytes);
  expect(await list()).toEqual({ kind: 'unusable', reason });
});

it.each([
  ['gzip', ''],
  ['deflate', ''],
  ['br', ''],
  ['zstd', 'packed'],
  ['utf-8', '{}'],
])('reads only the status of a refusal with the encoding %s and the body "%s"', async (encoding, body) => {
  answer = (res) => res.writeHead(401, { 'content-encoding': encoding }).end(body);
  expect(await list()).toEqual({ kind: 'unauthorized' });
});

it('refuses a compressed response in tiny chunks that decompress to nothing', async () => {
  answer = (res) => {
    res.writeHead(200, { 'content-encoding': 'gzip' });
    // A gzip header whose file name does not end (RFC 1952 §2.3)
    res.write(Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]));
    const drip = (): void => {
      if (!res.destroyed) res.write('x', () => setImmediate(drip));
    };
    drip();
  };
  expect(await list()).toEqual({ kind: 'unusable', reason: 'it answered in too many small chunks' });
});

it.each([
  [undefined, 'hub/1.2.3'],
  ['Legate/1 (+https://hub.example)', 'Legate/1 (+https://hub.example)'],
])('sends its User-Agent, and requests no compression', async (userAgent, sent) => {
  answer = (res, id) => res.end(message(id));
  await list(userAgent);
  expect(seen).toMatchObject([{ 'user-agent': sent, 'accept-encoding': 'identity' }]);
});

const notMcp = (body: string) => ({
  kind: 'unusable',
  reason: expect.stringMatching(new RegExp(`status 403 and ${body},.* firewall`)),
});
const denied = (body: string) => ({ kind: 'forbidden', body });
const STREAM = { 'content-type': 'text/event-stream' };
const RPC_ERROR = '{"jsonrpc":"2.0","id":ID,"error":{"code":-32001,"message":"no"}}';
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };
it.each<[string, Record<string, string>, string, object]>([
  ['a page', { 'content-type': 'text/html; charset=utf-8' }, '<p>Blocked</p>', notMcp('an HTML page')],
  ['a page without a type', {}, '\n<!DOCTYPE html><html>', notMcp('an HTML page')],
  ['a page that is called text', PLAIN, '<html>', notMcp('an HTML page')],
  [
    'the page of a firewall that gives its name',
    { 'content-type': 'text/html', server: 'cloudflare' },
    '<p>error 1020',
    notMcp('an HTML page from "cloudflare"'),
  ],
  [
    'what Cloudflare has for programs',
    { ...PLAIN, server: 'cloudflare' },
    'error code: 1020',
    notMcp('text/plain from "cloudflare"'),
  ],
  [
    'a page that cannot be read',
    { 'content-type': 'text/html', 'content-encoding': 'zstd' },
    'x',
    notMcp('an HTML page'),
  ],
  ['XML', { 'content-type': 'application/xml' }, '<Error/>', notMcp('application/xml')],
  ['the words of Express or Go', PLAIN, 'Forbidden\n', denied('text/plain')],
  [
    'words behind a proxy',
    { ...PLAIN, server: 'cloudflare' },
    'Forbidden',
    denied('text/plain from "cloudflare"'),
  ],
  ['words without a type', {}, 'Forbidden', denied('a body without a type')],
  ['words that Express calls HTML', { 'content-type': 'text/html' }, 'Forbidden', denied('text/html')],
  ['an error in a stream', STREAM, `data: ${RPC_ERROR}\n\n`, denied('text/event-stream')],
  ['a stream that ends', STREAM, ': no\n\n', denied('text/event-stream')],
  [
    'a problem',
    { 'content-type': 'application/problem+json' },
    '{"status":403}',
    denied('application/problem+json'),
  ],
  ['JSON', { 'content-type': 'application/json' }, '{"error":"forbidden"}', denied('application/json')],
  ['a text in JSON', { 'content-type': 'application/json' }, '"<no>"', denied('application/json')],
  ['nothing', {}, '', denied('no body')],
  ['nothing, as HTML', { 'content-type': 'text/html' }, '', denied('no body')],
  [
    'a page, and the challenge of the tool server',
    { 'content-type': 'text/html', 'www-authenticate': 'Bearer error="insufficient_scope", scope="a"' },
    '<p>',
    { kind: 'insufficient_scope', scopes: ['a'] },
  ],
  [
    'a page, and a challenge without scopes',
    { 'content-type': 'text/html', 'www-authenticate': 'Bearer error="insufficient_scope"' },
    '<p>',
    { kind: 'forbidden' },
  ],
])(
  'distinguishes a firewall from a tool server that refuses, for 403 with %s',
  async (_what, headers, body, expected) => {
    answer = (res, id) => res.writeHead(403, headers).end(body.replace('ID', String(id)));
    expect(await list()).toEqual(expected);
  },
);

const PAGE = { 'content-type': 'text/html' };
it.each<[string, number, Record<string, string>, string, object]>([
  ['a login page', 200, PAGE, '<p>', { kind: 'unusable', reason: expect.stringContaining('HTML page') }],
  ['a request for a password', 401, PAGE, '<p>', { kind: 'unauthorized', body: 'an HTML page' }],
  ['no such address', 404, PAGE, '<p>', { kind: 'rejected', status: 404, body: 'an HTML page' }],
  ['a fault of a proxy', 502, PAGE, '<p>', { reason: expect.stringContaining('502 and an HTML page') }],
  ['a fault', 500, PAGE, '<p>', { reason: expect.stringContaining('500 and an HTML page') }],
  [
    'a redirect',
    307,
    { location: 'https://user:pass@elsewhere.example/mcp?token=s3cret' },
    '',
    { kind: 'unusable', reason: expect.stringContaining('status 307) to https://elsewhere.example/mcp?') },
  ],
])('reports what came instead of a response: %s', async (_what, status, headers, body, expected) => {
  answer = (res) => res.writeHead(status, headers).end(body);
  const answered = await list();
  expect(answered).toMatchObject(expected);
  expect(JSON.stringify(answered)).not.toMatch(/s3cret|pass@/);
});

it.each(['Unauthorized', ''])(
  'treats 401 with "%s" as HTML as the tool server\'s own response',
  async (body) => {
    answer = (res) => res.writeHead(401, PAGE).end(body);
    expect(await list()).toEqual({ kind: 'unauthorized' });
  },
);

it('reads a JSON response even if its media type is wrong', async () => {
  answer = (res, id) => res.writeHead(200, PAGE).end(message(id));
  expect(await list()).toMatchObject({ kind: 'result', result: RESULT });
});

it.each([
  ['a result', { 'content-type': 'application/json' }],
  ['the header of an answer that cannot be read', { 'content-encoding': 'token' }],
])('removes the token of the call from %s', async (_case, headers) => {
  answer = (res, id) => {
    res.writeHead(200, headers);
    res.end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [], note: 'token' } }));
  };
  expect(await list()).toEqual({
    kind: 'unusable',
    reason: 'its response contains the access token of the call',
  });
});
