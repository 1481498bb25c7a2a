import { createServer, request as httpRequest, IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openScene, RESOURCE } from '@legate/tool-server-testing';
import { createToolServer } from '../index.ts';
import { type NodeListenerOptions, serve, toNodeListener } from './node.ts';
import { bodyOf } from './node-http.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

const portOf = () => (server?.address() as AddressInfo | undefined)?.port ?? 0;
async function listen(
  handler: Parameters<typeof toNodeListener>[0],
  options?: NodeListenerOptions,
): Promise<string> {
  server = createServer(toNodeListener(handler, options));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${portOf()}`;
}

/** Sends raw bytes, and returns all received bytes. */
async function raw(text: string): Promise<string> {
  const socket = connect(portOf(), '127.0.0.1');
  socket.end(text);
  let answer = '';
  for await (const part of socket.setEncoding('utf8')) answer += part;
  return answer;
}

function deferred<Value = void>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((onResolved) => {
    resolve = onResolved;
  });
  return { promise, resolve };
}

describe('a request', () => {
  it('arrives with method, URL, headers and body', async () => {
    const url = await listen(async (request) =>
      Response.json([request.method, request.url, request.headers.get('x-a'), await request.text()]),
    );
    const answer = await fetch(`${url}/a?b=c`, { method: 'POST', headers: { 'X-A': '1' }, body: 'text' });
    expect(await answer.json()).toEqual(['POST', `${url}/a?b=c`, '1', 'text']);
  });

  it('arrives with the address of its client', async () => {
    const url = await listen(async (_request, context) => new Response(context?.clientAddress));
    expect(await (await fetch(url)).text()).toBe('127.0.0.1');
  });

  it('has a body that fails if the caller has already disconnected', async () => {
    const request = new IncomingMessage(new Socket());
    request.method = 'POST';
    request.destroy();
    const body = bodyOf(request);
    const read = body?.getReader().read() ?? Promise.reject(new Error('no body'));
    const later = new Promise((resolve) => setImmediate(resolve, 'nothing happens'));
    await expect(Promise.race([read, later])).rejects.toThrow('hung up');
  });

  it.each([
    ['//evil.example/mcp', 'http://tools.example//evil.example/mcp'],
    ['http://other.example/mcp', 'http://other.example/mcp'],
    ['*', 'http://tools.example/'],
  ])('for %s keeps its host', async (target, expected) => {
    await listen(async (request) => new Response(request.url));
    expect(
      await raw(`OPTIONS ${target} HTTP/1.1\r\nHost: tools.example\r\nConnection: close\r\n\r\n`),
    ).toMatch(new RegExp(`\r\n\r\n(.*\r\n)?${expected.replaceAll('.', '\\.')}`));
  });

  it.each(['a/b', 'a@b', 'a b', 'a:x', '[', 'ä'])('with the host %j is refused', async (host) => {
    await listen(async () => new Response('reached'));
    expect(await raw(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 400 /,
    );
  });

  it.each(['TRACE', 'CONNECT'])(
    'with a method that fetch does not support is refused: %s',
    async (method) => {
      await listen(async () => new Response('reached'));
      expect(await raw(`${method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).not.toContain(
        'reached',
      );
    },
  );
});

describe('a body beyond the limit', () => {
  const echo = async (request: Request) => new Response(await request.text());

  it('gets 413, however the handler treats the error', async () => {
    const errors: unknown[] = [];
    const url = await listen((request) => echo(request).catch(() => new Response('half')), {
      maxBodyBytes: 10,
      onError: (err) => errors.push(err),
    });
    const post = (body: BodyOf) => fetch(url, { method: 'POST', body, duplex: 'half' });
    expect((await post('x'.repeat(10))).status).toBe(200);
    expect((await post('x'.repeat(11))).status).toBe(413);
    expect((await post(new Blob(['x'.repeat(11)]).stream())).status).toBe(413);
    expect(errors).toEqual([]);
  });
  type BodyOf = NonNullable<RequestInit['body']>;

  it('is not read if the handler does not read it', async () => {
    const url = await listen(async () => new Response('no'), { maxBodyBytes: 10 });
    const answer = await fetch(url, {
      method: 'POST',
      body: new Blob(['x'.repeat(9)]).stream(),
      duplex: 'half',
    });
    expect([answer.status, await answer.text()]).toEqual([200, 'no']);
  });

  it('is 1 MiB by default', async () => {
    const url = await listen(async (request) => new Response(String((await request.text()).length)));
    const post = (length: number) => fetch(url, { method: 'POST', body: 'x'.repeat(length) });
    expect([(await post(1_048_576)).status, (await post(1_048_577)).status]).toEqual([200, 413]);
  });
});

describe('a response', () => {
  it('has all cookies, and its length if it is one chunk', async () => {
    const headers = new Headers([
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ]);
    const answer = await fetch(await listen(async () => new Response('text', { headers })));
    expect([answer.headers.getSetCookie(), answer.headers.get('content-length')]).toEqual([
      ['a=1', 'b=2'],
      '4',
    ]);
  });

  it('is streamed chunk by chunk', async () => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(own) {
        controller = own;
      },
    });
    const url = await listen(async () => new Response(body));
    controller?.enqueue(new TextEncoder().encode('one'));
    const reader = (await fetch(url)).body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(await next()).toBe('one');
    controller?.enqueue(new TextEncoder().encode('two'));
    expect(await next()).toBe('two');
    controller?.close();
    expect((await reader?.read())?.done).toBe(true);
  });

  it('of many megabytes is produced only as fast as the client reads', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536));
        if (pulled === 1000) controller.close();
      },
    });
    const url = await listen(async () => new Response(body));
    const answer = await new Promise<IncomingMessage>((resolve) => void httpRequest(url, resolve).end());
    await new Promise((resolve) => answer.once('readable', resolve)); // from here on nothing is read
    await new Promise((resolve) => setImmediate(resolve));
    expect(pulled).toBeLessThan(1000);
    let length = 0;
    for await (const part of answer) length += part.length;
    expect([length, pulled]).toEqual([65_536_000, 1000]);
  });

  it('that is cut off does not look complete', async () => {
    const broken = deferred<unknown>();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(10));
        controller.error(new Error('lost'));
      },
    });
    const url = await listen(async () => new Response(body), { onError: broken.resolve });
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
    expect(await broken.promise).toEqual(new Error('lost'));
  });

  it('is 500 if the handler fails, and the error is reported', async () => {
    const errors: unknown[] = [];
    const url = await listen(() => Promise.reject(new Error('secret')), {
      onError: (err) => errors.push(err),
    });
    const answer = await fetch(url);
    expect([answer.status, await answer.text(), errors]).toEqual([500, '', [new Error('secret')]]);
  });
});

describe('a caller that disconnects', () => {
  it('aborts its request', async () => {
    const [arrived, aborted] = [deferred(), deferred()];
    const url = await listen(async (request) => {
      request.signal.addEventListener('abort', () => aborted.resolve());
      arrived.resolve();
      await aborted.promise;
      return new Response('too late');
    });
    const hangUp = new AbortController();
    const sent = fetch(url, { signal: hangUp.signal });
    await arrived.promise;
    hangUp.abort();
    await expect(sent).rejects.toThrow();
    await aborted.promise;
  });

  it('ends the stream of its response', async () => {
    const cancelled = deferred();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1)),
      cancel: () => cancelled.resolve(),
    });
    const url = await listen(async () => new Response(body));
    const hangUp = new AbortController();
    const answer = await fetch(url, { signal: hangUp.signal });
    await answer.body?.getReader().read();
    hangUp.abort();
    await cancelled.promise;
  });

  it('does not abort a request whose response was sent', async () => {
    const signals: AbortSignal[] = [];
    const url = await listen(async ({ signal }) => {
      signals.push(signal);
      return new Response('done');
    });
    await (await fetch(url, { headers: { Connection: 'close' } })).text();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

it('serve offers the metadata to everyone, and the routes only with a token that has the scopes', async () => {
  const { forgeAccessToken } = await openScene(async (given) => {
    const log = { info() {}, warn() {}, error() {} };
    const toolServer = await createToolServer({ scopes: ['read', 'write'], log, ...given });
    const routes = { '/mcp': async () => new Response('mcp') };
    server = serve(toolServer, routes, { port: 0, host: '127.0.0.1', scopes: ['write'] });
    await new Promise((resolve) => server?.once('listening', resolve));
    return { app: (() => {}) as never };
  });
  const url = `http://127.0.0.1:${portOf()}`;
  const call = async (scope: string) =>
    fetch(`${url}/mcp`, { headers: { Authorization: `Bearer ${await forgeAccessToken({ scope })}` } });
  const metadata = await fetch(`${url}/.well-known/oauth-protected-resource`);
  expect(await metadata.json()).toMatchObject({ resource: RESOURCE });
  expect([(await fetch(`${url}/mcp`)).status, (await call('read')).status]).toEqual([401, 403]);
  expect(await (await call('read write')).text()).toBe('mcp');
});
