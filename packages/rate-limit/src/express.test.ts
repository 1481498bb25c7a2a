import { beforeEach, expect, it } from '@jest/globals';
import express, { type ErrorRequestHandler, type Express } from 'express';
import request from 'supertest';
import { limitRequests, refuseBlockedClients } from './express.ts';
import { createFailureLimiter, createRateLimiter, RateLimitExceeded } from './index.ts';

const clock = () => new Date();
const toStatus: ErrorRequestHandler = (err, _req, res, _next) => {
  res.sendStatus(err instanceof RateLimitExceeded ? 429 : 500);
};

let app: Express;
beforeEach(() => {
  app = express();
});

it('sets the headers on answers that succeed, fail, and are refused', async () => {
  app.use(limitRequests(createRateLimiter({ clock }), () => ({ key: 'org:a', policy: 'free', limit: 2 })));
  app.get('/ok', (_req, res) => {
    res.sendStatus(200);
  });
  app.use(toStatus);
  const ok = await request(app).get('/ok');
  const missing = await request(app).get('/missing');
  const refused = await request(app).get('/ok');
  expect([ok.status, missing.status, refused.status]).toEqual([200, 404, 429]);
  expect([ok, missing, refused].map((answer) => answer.headers['x-ratelimit-remaining'])).toEqual([
    '1',
    '0',
    '0',
  ]);
  expect(ok.headers['retry-after']).toBeUndefined();
  expect(refused.headers['retry-after']).toMatch(/^(59|60)$/);
  expect(refused.headers['ratelimit-policy']).toBe('"free";q=2;w=60');
});

it('reports each counted request, refused or not', async () => {
  const counted: boolean[] = [];
  app.use(
    limitRequests(
      createRateLimiter({ clock }),
      () => ({ key: 'org:a', policy: 'free', limit: 1 }),
      (_res, usage) => counted.push(usage.exceeded),
    ),
  );
  app.use(toStatus);
  await request(app).get('/');
  await request(app).get('/');
  expect(counted).toEqual([false, true]);
});

it('refuses a client that failed too often with only Retry-After', async () => {
  const failures = createFailureLimiter({
    limiter: createRateLimiter({ clock }),
    clock,
    failuresPerMinute: 1,
  });
  app.use(refuseBlockedClients(failures));
  app.use(async (req, res) => {
    await failures.recordFailure(req.ip);
    res.sendStatus(401);
  });
  app.use(toStatus);
  expect((await request(app).get('/')).status).toBe(401);
  const refused = await request(app).get('/');
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toMatch(/^(59|60)$/);
  expect(refused.headers['x-ratelimit-limit']).toBeUndefined();
});
