import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { beforeEach, expect, it } from '@jest/globals';
import {
  createLogger,
  createMemoryBudget,
  createMetrics,
  type MemoryHold,
  problemHandler,
} from '@legate/service';
import express, { type Express } from 'express';
import request from 'supertest';
import { readJson } from './read-json.ts';

const MAX_BODY_BYTES = 1_048_576;
const SHARE = 2_000_000;
let app: Express;
let held: MemoryHold;
let bodies: unknown[];

beforeEach(() => {
  const budget = createMemoryBudget({
    limitBytes: 10 * SHARE,
    organizationPercent: 100,
    userPercent: 10,
    metrics: createMetrics('tool-hub').registry,
  });
  const alice = { organizationId: 'org_acme', userId: 'user_alice' };
  held = budget.open(alice);
  bodies = [];
  app = express();
  app.use((_req, res, next) => {
    const memory = budget.open(alice);
    res.locals.memory = memory;
    res.once('close', () => memory.close());
    next();
  });
  app.use(readJson({ maxBytes: MAX_BODY_BYTES, memoryOf: (res) => res.locals.memory as MemoryHold }));
  app.post('/', (req, res) => {
    bodies.push(req.body);
    res.json({});
  });
  const log = createLogger({ service: 'tool-hub', level: 'silent' });
  app.use(problemHandler({ log, typeBase: 'https://hub.example/errors' }));
});

const post = (body: string) => request(app).post('/').set('Content-Type', 'application/json').send(body);
const textOf = (length: number) => JSON.stringify('x'.repeat(length));

it('reads a body if there is room, and frees its bytes after the response', async () => {
  for (let i = 0; i < 10; i += 1) expect((await post(textOf(300_000))).status).toBe(200);
  expect(held.take(SHARE)).toBe(true);
});

it('returns 503 with Retry-After when the caller has used up their share', async () => {
  held.take(SHARE - 100_000);
  const res = await post(textOf(200_000));
  expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([503, 'hub_busy', '2']);
  expect(bodies).toEqual([]);
  held.close();
  expect((await post(textOf(200_000))).status).toBe(200);
});

it('returns 503 if there is room for the bytes, but not for the parsed form', async () => {
  held.take(SHARE - 700_000);
  const res = await post(`[${'[],'.repeat(10_000)}[]]`);
  expect([res.status, res.body.code]).toEqual([503, 'hub_busy']);
});

it('returns 413 if the parsed form would exceed the whole share', async () => {
  const res = await post(`[${'[],'.repeat(100_000)}[]]`);
  expect([res.status, res.body.code]).toEqual([413, 'payload_too_large']);
});

it('disconnects a client that sends many chunks of one byte', async () => {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined); // the connection may break while the test writes
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.write(
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  socket.write('1\r\n1\r\n'.repeat(20_000)); // the body never ends
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(held.take(SHARE)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});
