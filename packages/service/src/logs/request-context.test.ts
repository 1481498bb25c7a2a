import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { expect, it } from '@jest/globals';
import { eventually } from '@legate/testing';
import express from 'express';
import request from 'supertest';
import { accessLog, createLogger, createMetrics, requestContext } from '../index.ts';

const idFor = async (inbound?: string): Promise<string> => {
  const app = express().use(requestContext(), (_req, res) => void res.end());
  const res = await request(app)
    .get('/')
    .set(inbound === undefined ? {} : { 'X-Request-Id': inbound });
  return res.get('X-Request-Id') ?? '';
};

it('gives each request its own id', async () => {
  const [first, second] = [await idFor(), await idFor()];
  expect(first).toMatch(/^req_[0-9a-f-]{36}$/);
  expect(second).not.toBe(first);
});

it('generates the id itself, whatever id the caller sends', async () => {
  for (const inbound of ['trace.4711-abc_', 'short', 'req_of_somebody_else'])
    expect(await idFor(inbound)).toMatch(/^req_[0-9a-f-]{36}$/);
});

function collected(level: string) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, log: createLogger({ service: 't', level, destination }) };
}

function loggingApp(level: string) {
  const { lines, log } = collected(level);
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

it('logs a well-formed id of the caller beside its own id, and ignores a malformed one', async () => {
  const malformed = ['short', 'x'.repeat(65), 'with space', 'a;b;c;d;e', 'a=b"c<d>e'];
  const { app, lines } = loggingApp('info');
  const server = app.listen(0, '127.0.0.1');
  const closed = once(server, 'close');
  for (const inbound of ['trace.4711-abc_', ...malformed])
    await request(server).get('/').set('X-Request-Id', inbound);
  server.close();
  await closed;
  expect(lines.map((line) => line.caller_request_id)).toEqual([
    'trace.4711-abc_',
    ...malformed.map(() => undefined),
  ]);
  expect(new Set(lines.map((line) => line.request_id)).size).toBe(6);
});

it('logs no requests if the level is higher', async () => {
  const { app, lines } = loggingApp('warn');
  await request(app).get('/');
  expect(lines).toEqual([]);
});

it('logs and counts 499 for a caller who left before the response', async () => {
  const { lines, log } = collected('info');
  const metrics = createMetrics('t');
  const app = express().use(requestContext(), accessLog(log), metrics.observeRequests);
  const arrived = new Promise<void>((resolve) => app.get('/slow', () => resolve()));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const req = httpRequest({ port, path: '/slow' }).on('error', () => undefined);
  req.end();
  await arrived;
  req.destroy();
  await eventually('a line in the log', () => lines.length);
  server.close();
  expect(lines).toEqual([expect.objectContaining({ path: '/slow', status: 499, aborted: true })]);
  const { values } = (await metrics.registry.getSingleMetric('http_request_duration_seconds')?.get()) ?? {};
  expect(values?.map(({ labels }) => labels.status)).toContain('499');
});
