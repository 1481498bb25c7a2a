import { expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import { OAuthError } from '@legate/oauth';
import { createTestClock, START } from '@legate/service/testing';
import { createSubjectTokenCheck } from './subject-token.ts';

const ISSUER = 'https://idp.example';
const NOW = START.getTime() / 1000;
const clock = createTestClock();
const keys = await createSigningKeys({ alg: 'RS256', clock });
const idToken = (claims: object = {}) =>
  keys.sign(
    { ...{ iss: ISSUER, sub: 'alice', aud: 'app', iat: NOW, exp: NOW + 300 }, ...claims },
    { typ: 'JWT' },
  );

it('returns the claims of an ID token that we issued for one of the audiences', async () => {
  const check = createSubjectTokenCheck({
    organizationClaim: 'organization_id',
    issuer: ISSUER,
    keys,
    clock,
  });
  expect(await check(await idToken(), ['app', 'other'])).toMatchObject({ sub: 'alice', aud: 'app' });
});

it.each([
  ['expired', { iat: NOW - 600, exp: NOW - 300 }, 'expired'],
  ['for another audience', { aud: 'another' }, 'audience'],
  ['issued at the request of another client', { aud: ['app', 'other'], azp: 'another' }, 'azp'],
])('refuses an ID token that is %s', async (_case, claims, reason) => {
  const check = createSubjectTokenCheck({
    organizationClaim: 'organization_id',
    issuer: ISSUER,
    keys,
    clock,
  });
  const refused = await check(await idToken(claims), ['app', 'other']).catch((err: unknown) => err);
  expect(refused).toBeInstanceOf(OAuthError);
  expect(refused).toMatchObject({ code: 'invalid_grant', reason: `subject_token: ${reason}` });
});

it('does not report an internal failure as an invalid token', async () => {
  const broken = () => {
    throw new TypeError('a fault of ours');
  };
  const check = createSubjectTokenCheck({
    organizationClaim: 'organization_id',
    issuer: ISSUER,
    keys,
    clock: broken,
  });
  await expect(check(await idToken(), ['app'])).rejects.toThrow(new TypeError('a fault of ours'));
});
