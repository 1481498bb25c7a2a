import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet } from 'jose';
import {
  createSigningKeys,
  createTokenVerifier,
  idToken,
  logoutToken,
  type SigningKeys,
  TokenRefused,
} from './index.ts';

const NOW = 1_790_000_000;
const clock = () => new Date(NOW * 1000);
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const CLAIMS = {
  iss: 'https://idp.example',
  aud: 'hub',
  sub: 'user_alice',
  sid: 'sign-in-1',
  jti: 'j1',
  iat: NOW,
  exp: NOW + 120,
  events: { [EVENT]: {} },
};

let keys: SigningKeys;
beforeAll(async () => {
  keys = await createSigningKeys({ alg: 'RS256', clock });
});

async function outcomeOf(claims: Record<string, unknown>, typ: string) {
  const verify = createTokenVerifier(logoutToken, {
    issuers: [{ issuer: CLAIMS.iss, keys: createLocalJWKSet(keys.publicJwks()) }],
    audience: ['hub', 'app'],
    clock,
  });
  return verify(await keys.sign({ ...CLAIMS, ...claims }, { typ })).then(
    () => 'accepted',
    (err: unknown) => (err instanceof TokenRefused ? err.reason : err),
  );
}

describe('a logout token', () => {
  it.each<[string, Record<string, unknown>, string?]>([
    ['user and sign-in', {}],
    ['user alone', { sid: undefined }],
    ['sign-in alone', { sub: undefined }],
    ['one of several audiences', { aud: ['other', 'app'] }],
    ['something more in its event', { events: { [EVENT]: { why: 'x' }, 'https://more.example': {} } }],
    ['the type of other JWTs', {}, 'JWT'],
    ['its type spelled out', {}, 'application/logout+jwt'],
  ])('is accepted with %s', async (_case, claims, typ = 'logout+jwt') => {
    expect(await outcomeOf(claims, typ)).toBe('accepted');
  });

  it.each<[string, Record<string, unknown>, string, string?]>([
    ['neither user nor sign-in', { sub: undefined, sid: undefined }, 'claims'],
    ['a nonce', { nonce: 'n' }, 'claims'],
    ['a nonce that is null', { nonce: null }, 'claims'],
    ['no events', { events: undefined }, 'claims'],
    ['another event', { events: { 'https://other.example': {} } }, 'claims'],
    ['an event that is no object', { events: { [EVENT]: true } }, 'claims'],
    ['events in a list', { events: [EVENT] }, 'claims'],
    ['no jti', { jti: undefined }, 'claims'],
    ['no iat', { iat: undefined }, 'claims'],
    ['no exp', { exp: undefined }, 'claims'],
    ['a user that is no text', { sub: 1 }, 'claims'],
    ['a sign-in that is no text', { sid: {} }, 'claims'],
    ['another issuer', { iss: 'https://evil.example' }, 'issuer'],
    ['another audience', { aud: 'other' }, 'audience'],
    ['an end that is past', { iat: NOW - 200, exp: NOW - 60 }, 'expired'],
    ['a beginning that is to come', { iat: NOW + 61, exp: NOW + 120 }, 'not_yet_valid'],
    ['more than an hour', { exp: NOW + 3601 }, 'lifetime'],
    ['the type of an access token', {}, 'typ', 'at+jwt'],
  ])('is refused with %s', async (_case, claims, reason, typ = 'logout+jwt') => {
    expect(await outcomeOf(claims, typ)).toBe(reason);
  });

  it('is not accepted as an ID token, because of its type', async () => {
    const verify = createTokenVerifier(idToken, {
      issuers: [{ issuer: CLAIMS.iss, keys: createLocalJWKSet(keys.publicJwks()) }],
      audience: 'hub',
      clock,
    });
    await expect(verify(await keys.sign(CLAIMS, { typ: 'logout+jwt' }))).rejects.toMatchObject({
      reason: 'typ',
    });
  });
});
