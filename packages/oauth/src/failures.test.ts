import { expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { oauthErrorHandler, refuseAfterFailures } from './express.ts';
import { OAuthError } from './index.ts';

const log = { info: () => {}, error: () => {} };

function scene(blockedAfter: number) {
  let failed = 0;
  const app = express();
  app.use(
    refuseAfterFailures({
      blockedSeconds: () => (failed >= blockedAfter ? 42 : 0),
      recordFailure: async () => {
        failed += 1;
        throw new Error('the limiter itself fails');
      },
    }),
  );
  app.post('/oauth/token', (req) => {
    throw new OAuthError(req.query.secret === 'wrong' ? 'invalid_client' : 'invalid_grant', 'refused');
  });
  app.use(oauthErrorHandler(log));
  return { app, failures: () => failed };
}

it('counts failed client authentication, and no other refusal', async () => {
  const { app, failures } = scene(10);
  await request(app).post('/oauth/token');
  await request(app).post('/oauth/token?secret=wrong');
  expect(failures()).toBe(1);
});

it('tells a client that keeps failing when to retry, before any check', async () => {
  const { app } = scene(2);
  for (let i = 0; i < 2; i += 1) await request(app).post('/oauth/token?secret=wrong').expect(401);
  const res = await request(app).post('/oauth/token?secret=wrong');
  expect([res.status, res.headers['retry-after'], res.body.error]).toEqual([
    429,
    '42',
    'temporarily_unavailable',
  ]);
});
