import { expect, it } from '@jest/globals';
import { OAuthError } from './errors.ts';
import { answerRefusal } from './refusal.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} };

it.each([
  ['a refusal', new OAuthError('invalid_grant', 'was redeemed'), 400, { error: 'invalid_grant' }],
  ['a fault of ours', new TypeError('undefined is not a function'), 500, { error: 'server_error' }],
])('forbids storing the response to %s', (_case, err, status, body) => {
  const answer = answerRefusal(log, err);
  expect(answer).toMatchObject({
    status,
    body,
    headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' },
  });
});

it('reveals nothing about an internal error to the caller', () => {
  expect(answerRefusal(log, new Error('the database is away')).body).toEqual({ error: 'server_error' });
});
