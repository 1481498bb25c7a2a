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
  app.post('/oauth/revoke', ...tokenEndpoint(failures, { takesAnyToken: true }), (_req, res) => {
    const { form } = res.locals;
    if (form?.find('client_secret') === 'wrong') throw new OAuthError('invalid_client', 'refused');
    res.end();
  });
  app.post('/oauth/token', ...tokenEndpoint(failures, options), (_req, res) => {
    const { form } = res.locals;
    if (form?.find('client_secret') === 'wrong' || form?.find('client_assertion'))
      throw new OAuthError('invalid_client', 'refused');
    if (form?.find('code') !== 'ours') throw new OAuthError('invalid_grant', 'refused');
    res.json({});
  });
  app.use(oauthErrorHandler(log));
  const post = (form: object) => request(app).post('/oauth/token').type('form').send(form);
  const revoke = (form: object) => request(app).post('/oauth/revoke').type('form').send(form);
  return { post, revoke, failed, good };
}
const WRONG = { client_id: 'a', client_secret: 'wrong' };

it('counts failed client authentication, and other refusals if the endpoint is configured to', async () => {
  const { post, failed } = scene(10);
  await post({ client_id: 'a' });
  expect(failed).toEqual([]);
  await post(WRONG);
  await post({ client_id: 'a', counted: 'true' });
  expect(failed).toMatchObject([
    { client: 'a', method: 'client_secret_post', secret: 'wrong' },
    { client: 'a', method: 'none' },
  ]);
});

it('refuses a client that keeps failing before any check, with Retry-After', async () => {
  const { post } = scene(2);
  for (let i = 0; i < 2; i += 1) await post(WRONG).expect(401);
  const res = await post(WRONG);
  expect([res.status, res.headers['retry-after'], res.body.error]).toEqual([
    429,
    '42',
    'temporarily_unavailable',
  ]);
});

it('accepts a request with a known code during a block, and reports its success', async () => {
  const { post, good } = scene(1);
  await post(WRONG);
  await post({ client_id: 'b', code: 'other' }).expect(429);
  await post({ client_id: 'b', client_secret: 'right', code: 'ours' }).expect(200);
  expect(good).toMatchObject([{ client: 'b', secret: 'right' }]);
});

it('does not record a success for a public client that revokes an invalid token', async () => {
  const { revoke, good } = scene(1);
  await revoke({ client_id: 'a', token: 'nonsense' }).expect(200);
  expect(good).toEqual([]);
  await revoke({ client_id: 'a', client_secret: 'right', token: 'nonsense' }).expect(200);
  expect(good).toMatchObject([{ client: 'a', secret: 'right' }]);
});

it('counts refused assertions separately from valid ones', async () => {
  const { post, failed } = scene(10);
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  await post({ client_id: 'a', client_assertion: 'x.y.z', client_assertion_type }).expect(401);
  expect(failed).toMatchObject([{ client: 'a', method: 'bad_assertion' }]);
});

it('counts all requests that name no client together', async () => {
  const { post, failed } = scene(10);
  await post({ counted: 'true' });
  expect(failed).toMatchObject([{ client: '' }]);
});
