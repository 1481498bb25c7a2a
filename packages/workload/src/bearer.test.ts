import { expect, it } from '@jest/globals';
import { TokenRefused } from '@legate/jwt';
import { Problem } from '@legate/service';
import { isGuess, requireBearer, tokenProblem } from './bearer.ts';

class TestProblem extends Problem {}
const problemOf = (status: number, code = 'a_code') => new TestProblem(code, { status, title: 'A title' });

it('returns the token of a request', () => {
  expect(requireBearer('Bearer abc.def')).toBe('abc.def');
});

it.each([
  ['no credentials', undefined, 'token_missing', 'Bearer'],
  ['no token', 'Bearer', 'token_invalid', 'error="invalid_token"'],
  ['two tokens', 'Bearer a b', 'token_invalid', 'error="invalid_token"'],
])('refuses a request with %s and sends a challenge', (_case, authorization, code, challenge) => {
  expect(() => requireBearer(authorization)).toThrow(
    expect.objectContaining({
      ...{ code, status: 401 },
      headers: { 'WWW-Authenticate': expect.stringContaining(challenge) },
    }),
  );
});

it('distinguishes an expired token from one that was never valid here', () => {
  expect(tokenProblem(new TokenRefused('expired'))).toMatchObject({ code: 'token_expired', status: 401 });
  expect(tokenProblem(new TokenRefused('audience'))).toMatchObject({ code: 'token_invalid', status: 401 });
});

it('names the claim at fault of a token that its issuer has signed', () => {
  expect(tokenProblem(new TokenRefused('claims', { detail: 'sub organization_id' }))).toMatchObject({
    code: 'token_invalid',
    detail: expect.stringContaining('sub, organization_id'),
  });
  const own = 'Your access was revoked.';
  expect(tokenProblem(new TokenRefused('claims', { detail: 'iat' }), own)).toMatchObject({ detail: own });
});

it('rethrows an internal error unchanged, because it does not concern the token', () => {
  const fault = new TypeError('a fault of ours');
  expect(tokenProblem(fault)).toBe(fault);
});

const refusalOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (err) {
    return err;
  }
};

it.each<[string, unknown]>([
  ['a token that was never good here', tokenProblem(new TokenRefused('signature'))],
  ['a token for another audience', tokenProblem(new TokenRefused('audience'))],
  ['a token that is none', tokenProblem(new TokenRefused('malformed'))],
  ['another secret that is unknown', problemOf(401, 'token_invalid')],
])('counts %s as a guess', (_case, err) => {
  expect(isGuess(err)).toBe(true);
});

it.each<[string, unknown]>([
  ['a request without a token', problemOf(401, 'token_missing')],
  ['an expired token', tokenProblem(new TokenRefused('expired'))],
  ['an expired transaction token', problemOf(401, 'transaction_token_expired')],
  ['a valid token without the right', problemOf(403)],
  ['a header with two tokens', refusalOf(() => requireBearer('Bearer a b'))],
  ['a fault of ours', problemOf(500)],
  ['an outage', problemOf(503)],
  ['any other error', new Error('a fault of ours')],
  ['an error of a library that has a status', Object.assign(new Error('Unauthorized'), { status: 401 })],
])('does not count %s as a guess', (_case, err) => {
  expect(isGuess(err)).toBe(false);
});
