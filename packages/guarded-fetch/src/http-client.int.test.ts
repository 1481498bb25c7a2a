import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpClient, ForbiddenAddress, UnusableAnswer } from './index.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A peer on this machine, and the requests that reached it. */
async function listen(answer: RequestListener, host = '127.0.0.1') {
  const seen: string[] = [];
  const server: Server = createServer((req, res) => {
    seen.push(`${req.method} ${req.headers.host}${req.url}`);
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

function client(options: Parameters<typeof createHttpClient>[0] = { allow: ['loopback'] }) {
  const created = createHttpClient(options);
  closing.push(() => created.dispatcher.destroy());
  return created;
}

const json: RequestListener = (_req, res) =>
  void res.setHeader('Content-Type', 'application/json').end('{"a":1}');
const causeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (err: unknown) => (err instanceof TypeError && err.cause ? err.cause : err),
  );

describe('a forbidden address', () => {
  it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433'])(
    'is not connected to as %s',
    async (host) => {
      const { seen, port } = await listen(json);
      const url = `http://${host}:${port}/`;
      expect(await causeOf(client({}).fetch(url))).toBeInstanceOf(ForbiddenAddress);
      expect(await causeOf(client({ allow: ['10.0.0.0/8'] }).getJson(url))).toBeInstanceOf(ForbiddenAddress);
      expect(seen).toEqual([]);
    },
  );

  it('is not connected to over TLS either', async () => {
    const { seen, port } = await listen(json);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254']) {
      expect(await causeOf(client({}).fetch(`https://${host}:${port}/`))).toBeInstanceOf(ForbiddenAddress);
    }
    expect(seen).toEqual([]);
  });

  it('is not reached over plain http, even if it is public', async () => {
    expect(await causeOf(client({}).fetch('http://8.8.8.8/'))).toBeInstanceOf(ForbiddenAddress);
  });

  it('is not connected to through the pooled connections', async () => {
    const { seen, port } = await listen(json);
    const { dispatcher } = client({});
    const request = dispatcher.request({ origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' });
    await expect(request).rejects.toBeInstanceOf(ForbiddenAddress);
    expect(seen).toEqual([]);
  });
});

it('reaches allowed addresses, by address and by name', async () => {
  const { seen, port } = await listen(json);
  const { getJson } = client();
  expect(await getJson(`http://127.0.0.1:${port}/x`)).toEqual({ a: 1 });
  expect(seen).toEqual([`GET 127.0.0.1:${port}/x`]);
});

it('connects to the configured address for a public name, which the peer still sees', async () => {
  const { seen, port } = await listen(json);
  const { getJson } = client({ connectTo: [`idp.example:80=127.0.0.1:${port}`] });
  expect(await getJson('http://idp.example/keys')).toEqual({ a: 1 });
  expect(seen).toEqual(['GET idp.example/keys']);
  expect(
    await causeOf(
      client({ connectTo: [`idp.example:80=127.0.0.1:${port}`] }).fetch(`http://127.0.0.1:${port}`),
    ),
  ).toBeInstanceOf(ForbiddenAddress);
});

it.each(['data:application/json,{}', 'file:///etc/passwd', 'blob:x', 'ftp://h/', '/relative'])(
  'sends no request to %s',
  async (url) => {
    await expect(client().fetch(url)).rejects.toThrow('only http and https');
  },
);

it('follows no redirect', async () => {
  const { seen, port } = await listen((_req, res) => void res.writeHead(302, { Location: '/secret' }).end());
  await expect(client().fetch(`http://127.0.0.1:${port}/`, { redirect: 'follow' })).rejects.toMatchObject({
    name: 'UnusableAnswer',
    status: 302,
  });
  expect(seen).toHaveLength(1);
});

it('returns a 304 response', async () => {
  const { port } = await listen((_req, res) => void res.writeHead(304, { ETag: '"a"' }).end());
  const answer = await client().fetch(`http://127.0.0.1:${port}/`, { headers: { 'If-None-Match': '"a"' } });
  expect([answer.status, answer.headers.get('ETag'), await answer.text()]).toEqual([304, '"a"', '']);
});

it.each([
  [
    'long',
    (size: number): RequestListener =>
      (_req, res) =>
        void res.end('x'.repeat(size)),
  ],
  [
    'chunked',
    (size: number): RequestListener =>
      (_req, res) => {
        for (let sent = 0; sent < size; sent += 10) res.write('x'.repeat(Math.min(10, size - sent)));
        res.end();
      },
  ],
  [
    'packed',
    (size: number): RequestListener =>
      (_req, res) => {
        res.setHeader('Content-Encoding', 'gzip').end(gzipSync('x'.repeat(size)));
      },
  ],
])('reads a %s response up to the limit and no further', async (_case, answerOf) => {
  const options = { allow: ['loopback'], maxResponseBytes: 100 };
  const fits = await listen(answerOf(100));
  expect(await (await client(options).fetch(`http://127.0.0.1:${fits.port}/`)).text()).toHaveLength(100);
  const large = await listen(answerOf(101));
  await expect(client(options).fetch(`http://127.0.0.1:${large.port}/`)).rejects.toThrow(
    'more than 100 bytes',
  );
});

it.each([
  ['never answers', () => {}],
  ['answers and never ends', (_req, res) => void res.writeHead(200).write('x')],
] as [string, RequestListener][])('waits for a peer that %s no longer than it may', async (_case, answer) => {
  const { port } = await listen(answer);
  const { fetch } = client({ allow: ['loopback'], timeoutMs: 50 });
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ name: 'TimeoutError' });
});

it('reads a packed response that arrives faster than it is unpacked', async () => {
  const content = randomBytes(2_000_000);
  const packed = gzipSync(content);
  const { port } = await listen((_req, res) => void res.setHeader('Content-Encoding', 'gzip').end(packed));
  const patient = client({ allow: ['loopback'], maxResponseBytes: 2_000_000 });
  const answer = await patient.fetch(`http://127.0.0.1:${port}/`);
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
});

it("sends nothing if the caller's signal has already aborted", async () => {
  const { port, seen } = await listen(json);
  const signal = AbortSignal.abort(new Error('left'));
  await expect(client().fetch(`http://127.0.0.1:${port}/`, { signal })).rejects.toThrow('left');
  expect(seen).toEqual([]);
});

it("aborts when the caller's signal aborts", async () => {
  const { port } = await listen(() => {});
  const signal = AbortSignal.abort();
  await expect(client().fetch(`http://127.0.0.1:${port}/`, { signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
});

it.each([
  ['404', (_req, res) => void res.writeHead(404).end('{}'), 404],
  ['no JSON', (_req, res) => void res.end('<html>'), 200],
  ['nothing', (_req, res) => void res.writeHead(204).end(), 204],
  ['a status that is none', (_req, res) => void res.writeHead(700).end('{}'), 700],
] as [string, RequestListener, number][])('takes %s for no document', async (_case, answer, status) => {
  const { port } = await listen(answer);
  const err = await causeOf(client().getJson(`http://127.0.0.1:${port}/jwks?secret=1`));
  expect(err).toBeInstanceOf(UnusableAnswer);
  expect(err).toMatchObject({ status, message: expect.not.stringContaining('secret') });
});

it('sends the contents of a Request', async () => {
  let body = '';
  const { seen, port } = await listen((req, res) => {
    req.on('data', (chunk) => {
      body += String(chunk);
    });
    req.on('end', () => res.end(req.headers['x-test']));
  });
  const request = new Request(`http://127.0.0.1:${port}/r`, {
    method: 'POST',
    body: 'hello',
    headers: { 'x-test': 't' },
  });
  expect(await (await client().fetch(request)).text()).toBe('t');
  expect([seen[0], body]).toEqual([`POST 127.0.0.1:${port}/r`, 'hello']);
});

it.each([
  ['a text', 'a=1', 'text/plain;charset=UTF-8', 'a=1'],
  ['a form', new URLSearchParams({ a: '1 2' }), 'application/x-www-form-urlencoded;charset=UTF-8', 'a=1+2'],
  ['bytes', new Uint8Array([97, 61]), undefined, 'a='],
  ['a Blob', new Blob(['{}'], { type: 'application/json' }), 'application/json', '{}'],
])('sends %s as fetch does, with its type', async (_case, body, type, sent) => {
  const { port } = await listen((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () =>
      res.end(JSON.stringify([req.headers['content-type'] ?? null, String(Buffer.concat(chunks))])),
    );
  });
  const answer = await client().fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
  expect(await answer.json()).toEqual([type ?? null, sent]);
});

it('sends a method in upper case, as fetch does', async () => {
  const { seen, port } = await listen(json);
  await client().fetch(`http://127.0.0.1:${port}/`, { method: 'post' });
  expect(seen).toEqual([`POST 127.0.0.1:${port}/`]);
});

it.each([
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('decompresses a response in %s', async (encoding, pack) => {
  const { port } = await listen(
    (_req, res) => void res.setHeader('Content-Encoding', encoding).end(pack('{"a":1}')),
  );
  expect(await client().getJson(`http://127.0.0.1:${port}/`)).toEqual({ a: 1 });
});

it.each([
  ['in an encoding that it did not ask for', 'zstd', '{}', UnusableAnswer],
  ['that is not packed as it says', 'gzip', '{}', TypeError],
])('rejects a response %s', async (_case, encoding, body, error) => {
  const { port } = await listen((_req, res) => void res.setHeader('Content-Encoding', encoding).end(body));
  await expect(client().fetch(`http://127.0.0.1:${port}/`)).rejects.toBeInstanceOf(error);
});

it.each([
  ['a 304', 'GET', 304, 'gzip'],
  ['a 204', 'GET', 204, 'br'],
  ['the answer to a HEAD', 'HEAD', 200, 'deflate'],
  ['an empty 200', 'POST', 200, 'gzip'],
])(
  'unpacks nothing from %s, which has an encoding but no content',
  async (_case, method, status, encoding) => {
    const { port } = await listen(
      (_req, res) => void res.writeHead(status, { 'Content-Encoding': encoding }).end(),
    );
    const answer = await client().fetch(`http://127.0.0.1:${port}/`, { method });
    expect([answer.status, await answer.text()]).toEqual([status, '']);
  },
);

it.each(['zstd', 'constructor', '__proto__'])(
  'rejects a response in the encoding %s, and leaves no connection open',
  async (encoding) => {
    let closed: Promise<unknown> | undefined;
    const { port } = await listen((req, res) => {
      closed = once(req.socket, 'close');
      res.setHeader('Content-Encoding', encoding).write('{}');
    });
    await expect(client().fetch(`http://127.0.0.1:${port}/`)).rejects.toBeInstanceOf(UnusableAnswer);
    await closed;
  },
);

it('does not send credentials from a URL', async () => {
  const { seen, port } = await listen(json);
  await expect(client().fetch(`http://user:secret@127.0.0.1:${port}/`)).rejects.toThrow('credentials');
  expect(seen).toEqual([]);
});

it('rejects if the connection breaks during the response', async () => {
  const { port } = await listen((_req, res) => {
    res.writeHead(200, { 'Content-Length': '10' }).write('half', () => res.destroy());
  });
  await expect(client().fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
    name: 'TypeError',
    cause: expect.objectContaining({ code: 'UND_ERR_SOCKET' }),
  });
});

it('reuses connections', async () => {
  const sockets = new Set<unknown>();
  const { port } = await listen((req, res) => {
    sockets.add(req.socket);
    res.end('{}');
  });
  const { getJson } = client();
  for (let i = 0; i < 20; i += 1) await getJson(`http://127.0.0.1:${port}/`);
  expect(sockets.size).toBeLessThanOrEqual(2);
});
