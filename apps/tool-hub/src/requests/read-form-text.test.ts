import { beforeEach, expect, it } from '@jest/globals';
import { formOf, oauthErrorHandler, tokenEndpointForm } from '@legate/oauth/express';
import { createMemoryBudget, createMetrics, type MemoryHold } from '@legate/service';
import express, { type Express } from 'express';
import request from 'supertest';
import { readFormText } from './read-form-text.ts';

let app: Express;
let strangers: MemoryHold;

beforeEach(() => {
  const budget = createMemoryBudget({
    limitBytes: 2_000_000,
    organizationPercent: 25,
    userPercent: 10,
    metrics: createMetrics('tool-hub').registry,
  });
  strangers = budget.openAnonymous();
  app = express();
  app.all('/token', ...tokenEndpointForm(readFormText(budget)), (_req, res) => {
    res.json({ assertion: formOf(res).find('assertion')?.length });
  });
  app.use(oauthErrorHandler({ info: () => undefined, error: () => undefined }));
});

const post = (body: string) => request(app).post('/token').type('form').send(body);

it('reads a form', async () => {
  expect((await post(`assertion=${'x'.repeat(60_000)}`)).body).toEqual({ assertion: 60_000 });
});

it.each([
  ['too large', () => post(`assertion=${'x'.repeat(70_000)}`), 413],
  ['compressed', () => post('a=b').set('Content-Encoding', 'gzip'), 415],
])('refuses a form that is %s', async (_what, send, status) => {
  const res = await send();
  expect([res.status, res.body.error]).toEqual([status, 'invalid_request']);
});

it('returns 503 when unauthenticated callers have used up their share, and accepts forms again later', async () => {
  strangers.take(strangers.maxBytes - 1000);
  const res = await post(`assertion=${'x'.repeat(2000)}`);
  expect([res.status, res.body.error, res.get('Retry-After')]).toEqual([503, 'temporarily_unavailable', '5']);
  strangers.close();
  expect((await post(`assertion=${'x'.repeat(2000)}`)).status).toBe(200);
});
