import { hash } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { createLogger, problemHandler, Registry, requestContext } from '@legate/service';
import { createTestClock, type TestClock } from '@legate/service/testing';
import express, { type Express } from 'express';
import request from 'supertest';
import { signedOut, tokenMissing } from '../refusals/sign-in-problems.ts';
import { tokenRefused } from '../refusals/token-refusals.ts';
import { createNoteTokenRefusals } from './note-token-refusals.ts';

let thrown: Error;
let clock: TestClock;
let metrics: Registry;
let lines: Record<string, unknown>[];
let app: Express;

beforeEach(() => {
  clock = createTestClock();
  metrics = new Registry();
  lines = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger({ service: 'test', level: 'info', destination });
  app = express();
  app.set('trust proxy', true);
  app.use(requestContext());
  app.get('/', () => {
    throw thrown;
  });
  app.use(createNoteTokenRefusals({ clock, log, metrics }), problemHandler({ log, typeBase: 'https://h' }));
});

const get = (address = '192.0.2.1') =>
  request(app).get('/').set('Authorization', 'Bearer the-token').set('X-Forwarded-For', address);
const refusals = async () => {
  const { values } = (await metrics.getSingleMetric('token_refusals_total')?.get()) ?? { values: [] };
  return values.map(({ labels, value }) => [labels.reason, value]);
};

it('logs the reason, the private cause and a digest of the token, and never the token', async () => {
  thrown = tokenRefused('wrong_type', new Error('typ: scope'));
  const res = await get();
  expect([res.status, res.body.reason]).toEqual([401, 'wrong_type']);
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'info',
      msg: 'bearer token refused',
      reason: 'wrong_type',
      why: 'typ: scope',
      token_hash: hash('sha256', 'the-token', 'base64url'),
      request_id: res.get('X-Request-Id'),
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('the-token');
});

it('logs each reason once in 10 seconds for an address, and counts each refusal', async () => {
  thrown = tokenRefused('expired');
  await get();
  clock.advanceSeconds(9.999);
  await get();
  expect(lines).toHaveLength(1);
  await get('192.0.2.2');
  expect(lines).toHaveLength(2);
  thrown = signedOut();
  await get();
  expect(lines).toHaveLength(3);
  thrown = tokenRefused('expired');
  clock.advanceSeconds(0.001);
  await get();
  expect(lines.map(({ reason }) => reason)).toEqual(['expired', 'expired', 'session_ended', 'expired']);
  expect(await refusals()).toEqual([
    ['expired', 4],
    ['session_ended', 1],
  ]);
});

it('treats addresses of one IPv6 network as one', async () => {
  thrown = tokenRefused('expired');
  for (const end of ['1', '2']) await get(`2001:db8::${end}`);
  expect(lines).toHaveLength(1);
});

it.each([
  ['a request without a token', tokenMissing()],
  ['a fault of ours', new Error('out of order')],
])('does not count %s', async (_case, err) => {
  thrown = err;
  await get();
  expect(await refusals()).toEqual([]);
});
