import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import express, { type ErrorRequestHandler, type Express } from 'express';
import request from 'supertest';
import { limitRequests, limitStrangers, onlyNavigations, refuseBlockedClients } from './express.ts';
import { createFailureLimiter, createRateLimiter, createStrangerBudget, RateLimitExceeded } from './index.ts';

const clock = () => new Date();
const toStatus: ErrorRequestHandler = (err, _req, res, _next) => {
  res.sendStatus(err instanceof RateLimitExceeded ? 429 : 500);
};

let app: Express;
beforeEach(() => {
  app = express();
});

it('sets the headers on successful, failed and refused responses', async () => {
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
    triesPerSecond: 0,
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

describe('limitStrangers', () => {
  /** Resolves when a request has reached its route, which then waits for `answer`. */
  let come: Promise<void>;
  let answer: (status: number) => void;
  let answered: Promise<void>;
  beforeEach(() => {
    const budget = createStrangerBudget({ perMinute: 2, clock });
    app.use(limitStrangers(budget, (seconds) => new RateLimitExceeded(seconds)));
    app.get('/now', (_req, res) => void res.sendStatus(200));
    app.get('/bad', (_req, res) => void res.sendStatus(400));
    come = new Promise((arrived) => {
      app.get('/later', async (_req, res) => {
        const closed = new Promise((resolve) => res.once('close', resolve));
        const status = new Promise<number>((resolve) => {
          answer = resolve;
        });
        answered = Promise.all([closed, status]).then(([, code]) => void res.sendStatus(code));
        arrived();
      });
    });
    app.use(toStatus);
  });

  it('counts only requests without an error response', async () => {
    for (const status of [400, 400]) expect((await request(app).get('/bad')).status).toBe(status);
    expect((await request(app).get('/now')).status).toBe(200);
    expect((await request(app).get('/now')).status).toBe(429);
  });

  it.each([
    [400, 200],
    [200, 429],
  ])('counts by the status %i even if the browser has disconnected', async (status, next) => {
    const server = app.listen(0);
    const { port } = server.address() as AddressInfo;
    const leave = new AbortController();
    const left = fetch(`http://127.0.0.1:${port}/later`, { signal: leave.signal }).catch(() => 'left');
    await come;
    leave.abort();
    expect(await left).toBe('left');
    answer(status);
    await answered;
    const { status: found } = await fetch(`http://127.0.0.1:${port}/now`);
    server.close();
    expect(found).toBe(next);
  });
});

it.each<[Record<string, string>, number]>([
  [{}, 200],
  [{ 'Sec-Fetch-Dest': 'document' }, 200],
  [{ 'Sec-Fetch-Dest': 'image' }, 500],
  [{ 'Sec-Fetch-Dest': 'document', 'Sec-Purpose': 'prefetch;prerender' }, 500],
  [{ 'Sec-Purpose': 'prefetch' }, 500],
  [{ Purpose: 'prefetch' }, 500],
])('accepts only navigations: %j', async (headers, status) => {
  app.use(onlyNavigations((found) => new Error(found)));
  app.get('/', (_req, res) => void res.sendStatus(200));
  app.use(toStatus);
  expect((await request(app).get('/').set(headers)).status).toBe(status);
});
