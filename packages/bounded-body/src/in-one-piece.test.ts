import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { inOnePiece } from './in-one-piece.ts';

const MAX_BYTES = 65_536;
const PARSERS = {
  '/json': express.json({ limit: MAX_BYTES }),
  '/text': express.text({ type: () => true, limit: MAX_BYTES }),
  '/raw': express.raw({ type: () => true, limit: MAX_BYTES }),
  '/form': express.urlencoded({ extended: false, limit: MAX_BYTES }),
};

const app = express();
for (const [path, parser] of Object.entries(PARSERS)) {
  app.post(`/plain${path}`, parser);
  app.post(path, inOnePiece(MAX_BYTES, parser));
}
app.use((req: IncomingMessage & { body?: unknown }, res: ServerResponse) => {
  const { body } = req;
  res.end(JSON.stringify(Buffer.isBuffer(body) ? body.toString() : (body ?? null)));
});
app.use((err: { status?: number; type?: string }, _req: unknown, res: ServerResponse, _next: unknown) => {
  res.statusCode = err.status ?? 500;
  res.end(err.type);
});
const server = createServer(app);
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function post(path: string, headers: Record<string, string>, body: Body) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers,
    ...(body !== undefined && { body }),
  });
  return [answer.status, await answer.text()];
}

type Body = string | Buffer<ArrayBuffer> | undefined;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
describe.each(Object.keys(PARSERS))('the parser at %s', (path) => {
  it.each<[string, Record<string, string>, Body]>([
    ['JSON', JSON_TYPE, '{"a":[1,"ü"]}'],
    ['no JSON', JSON_TYPE, '{'],
    ['a form', FORM, 'a=1&b=%C3%BC'],
    ['nothing', JSON_TYPE, undefined],
    ['an empty body', JSON_TYPE, ''],
    ['a compressed body', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzipSync('{"a":1}')],
    ['a bomb', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzipSync('x'.repeat(1_000_000))],
    ['an unknown encoding', { ...JSON_TYPE, 'Content-Encoding': 'lz' }, 'x'],
    ['another charset', { 'Content-Type': 'application/json; charset=utf-16' }, '{}'],
  ])('responds to %s as the parser does without the wrapper', async (_what, headers, body) => {
    expect(await post(path, headers, body)).toEqual(await post(`/plain${path}`, headers, body));
  });

  it('refuses too many bytes', async () => {
    expect(await post(path, JSON_TYPE, 'x'.repeat(MAX_BYTES + 1))).toEqual([413, 'entity.too.large']);
  });
});
