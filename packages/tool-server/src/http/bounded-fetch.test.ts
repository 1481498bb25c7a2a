import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createBoundedFetch, createJsonReader } from './bounded-fetch.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const readJson = createJsonReader();

describe('the reader of documents', () => {
  it('reads JSON at a loopback address, whatever its type', async () => {
    const url = await serve((req, res) => res.end(JSON.stringify({ accept: req.headers.accept })));
    expect(await readJson(url)).toEqual({ accept: 'application/json' });
  });

  it.each<[string, RequestListener, string]>([
    ['a redirect', (_req, res) => res.writeHead(302, { Location: '/elsewhere' }).end(), 'redirects'],
    ['another status', (_req, res) => res.writeHead(404).end('{}'), 'status 404'],
    ['a page', (_req, res) => res.end('<html>'), 'not JSON'],
    ['no content', (_req, res) => res.writeHead(204).end(), 'status 204'],
    ['more than 64 KiB', (_req, res) => res.end(`"${'x'.repeat(65_536)}"`), 'more than 65536 bytes'],
  ])('refuses %s', async (_case, listener, message) => {
    await expect(readJson(await serve(listener))).rejects.toThrow(message);
  });

  it('reads 64 KiB', async () => {
    const url = await serve((_req, res) => res.end(`"${'x'.repeat(65_534)}"`));
    expect(await readJson(url)).toHaveLength(65_534);
  });

  it.each([
    'http://idp.example/jwks',
    'http://192.168.0.1/jwks',
    'http://localhost.evil.example/jwks',
    'http://127.0.0.1.evil.example/',
    'ftp://localhost/jwks',
    'file:///etc/passwd',
    'data:application/json,{}',
  ])('sends nothing to %s', async (url) => {
    await expect(readJson(url)).rejects.toThrow('only https');
  });
});

describe('a fetch that is given', () => {
  it('checks addresses itself, and is called with the limits', async () => {
    let init: RequestInit | undefined;
    const read = createJsonReader(async (_url, sent) => {
      init = sent;
      return Response.json({ a: 1 });
    });
    expect(await read('http://idp.internal/jwks')).toEqual({ a: 1 });
    expect(init).toMatchObject({ redirect: 'manual', signal: expect.any(AbortSignal) });
  });

  it('ends with the signal of the request', async () => {
    const fetch = createBoundedFetch(async (_url, init) => {
      init?.signal?.throwIfAborted();
      return new Response();
    }, 10);
    await expect(fetch('https://x.example', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('may return a redirect that a browser hides as status 0, which is refused', async () => {
    const hidden = { status: 0, headers: new Headers(), body: null } as Response;
    await expect(createBoundedFetch(async () => hidden, 10)('https://x.example')).rejects.toMatchObject({
      code: 'ERR_UNUSABLE_ANSWER',
    });
  });
});
