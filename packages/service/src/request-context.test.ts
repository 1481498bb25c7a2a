import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { accessLog, createLogger, requestContext } from './index.ts';

const idFor = async (inbound?: string): Promise<string> => {
  const app = express().use(requestContext(), (_req, res) => void res.end());
  const res = await request(app)
    .get('/')
    .set(inbound === undefined ? {} : { 'X-Request-Id': inbound });
  return res.get('X-Request-Id') ?? '';
};

it('gives each request an id of its own', async () => {
  const [first, second] = [await idFor(), await idFor()];
  expect(first).toMatch(/^req_[0-9a-f-]{36}$/);
  expect(second).not.toBe(first);
});

it('keeps a well-formed id of the caller, and no other', async () => {
  expect(await idFor('trace.4711-abc_')).toBe('trace.4711-abc_');
  for (const bad of ['short', 'x'.repeat(65), 'with space', 'a;b;c;d;e', 'a=b"c<d>e']) {
    expect(await idFor(bad)).toMatch(/^req_/);
  }
});

function loggingApp(level: string) {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({
    service: 't',
    level,
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const app = express().use(requestContext(), accessLog(log), (_req, res) => void res.status(201).end());
  return { app, lines };
}

it('logs one line for a request, without its query', async () => {
  const { app, lines } = loggingApp('info');
  const server = app.listen(0, '127.0.0.1');
  const closed = once(server, 'close');
  await request(server).post('/oauth/callback?code=secret');
  server.close();
  await closed;
  expect(lines).toEqual([
    expect.objectContaining({ method: 'POST', path: '/oauth/callback', status: 201, ms: expect.any(Number) }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

it('logs nothing above its level', async () => {
  const { app, lines } = loggingApp('warn');
  await request(app).get('/');
  expect(lines).toEqual([]);
});
