import { expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { oauthErrorHandler, tokenEndpoint } from './express.ts';
import { OAuthError, type TokenAttempt } from './index.ts';

const log = { info: () => {}, error: () => {} };

function scene(blockedAfter: number) {
  const failed: TokenAttempt[] = [];
  const good: TokenAttempt[] = [];
  const app = express();
  const failures = {
    blockedSeconds: async (_address: string | undefined, attempt: TokenAttempt = {}) =>
      failed.length >= blockedAfter && !(await attempt.isKnown?.()) ? 42 : 0,
    recordFailure: async (_address: string | undefined, attempt: TokenAttempt = {}) => {
      failed.push(attempt);
      throw new Error('the limiter itself fails');
    },
    recordSuccess: (_address: string | undefined, attempt: TokenAttempt) => void good.push(attempt),
  };
  const options = {
    countsRefusal: (form: { find: (name: string) => string | undefined }) => form.find('counted') === 'true',
    isKnown: async (form: { find: (name: string) => string | undefined }) => form.find('code') === 'ours',
  };
  app.post('/oauth/token', ...tokenEndpoint(failures, options), (_req, res) => {
    const { form } = res.locals;
    if (form?.find('client_secret') === 'wrong') throw new OAuthError('invalid_client', 'refused');
    if (form?.find('code') !== 'ours') throw new OAuthError('invalid_grant', 'refused');
    res.json({});
  });
  app.use(oauthErrorHandler(log));
  const post = (form: object) => request(app).post('/oauth/token').type('form').send(form);
  return { post, failed, good };
}
const WRONG = { client_id: 'a', client_secret: 'wrong' };

it('counts failed client authentication, and other refusals where the endpoint says so', async () => {
  const { post, failed } = scene(10);
  await post({ client_id: 'a' });
  expect(failed).toEqual([]);
  await post(WRONG);
  await post({ client_id: 'a', counted: 'true' });
  expect(failed).toMatchObject([{ client: 'a', secret: 'wrong' }, { client: 'a' }]);
});

it('tells a client that keeps failing when to retry, before any check', async () => {
  const { post } = scene(2);
  for (let i = 0; i < 2; i += 1) await post(WRONG).expect(401);
  const res = await post(WRONG);
  expect([res.status, res.headers['retry-after'], res.body.error]).toEqual([
    429,
    '42',
    'temporarily_unavailable',
  ]);
});

it('lets what is known pass a block, and tells the limiter what was good', async () => {
  const { post, good } = scene(1);
  await post(WRONG);
  await post({ client_id: 'b', code: 'other' }).expect(429);
  await post({ client_id: 'b', client_secret: 'right', code: 'ours' }).expect(200);
  expect(good).toMatchObject([{ client: 'b', secret: 'right' }]);
});
