import { expect, it } from '@jest/globals';
import { base64url, UnsecuredJWT } from 'jose';
import { explainToken } from './claims.ts';

const encode = (header: object, payload: object) =>
  `${base64url.encode(JSON.stringify(header))}.${base64url.encode(JSON.stringify(payload))}.c2ln`;

it('returns every claim of a token: explained claims first, in a fixed order, and times as Date objects', () => {
  const token = new UnsecuredJWT({ exp: 1_790_000_300, sub: 'user_alice', jti: 'j1', unknown: 1 }).encode();
  expect(explainToken(token, 'idJag').claims).toEqual([
    { name: 'sub', value: 'user_alice', time: undefined, proves: 'still the same user' },
    { name: 'jti', value: 'j1', time: undefined, proves: 'once: a second use is refused' },
    { name: 'exp', value: 1_790_000_300, time: new Date(1_790_000_300_000), proves: 'within five minutes' },
    { name: 'unknown', value: 1, time: undefined, proves: undefined },
  ]);
});

it.each([
  ['JWT', {}, 'idToken'],
  ['oauth-id-jag+jwt', {}, 'idJag'],
  ['application/oauth-id-jag+jwt', {}, 'idJag'],
  ['at+jwt', { idp: 'https://idp.example' }, 'accessToken'],
  ['at+jwt', { roles: ['owner'] }, 'apiToken'],
  ['txntoken+jwt', {}, 'txnToken'],
  [undefined, {}, 'idToken'],
])('recognises a token of the type %s with %j as the kind %s', (typ, payload, kind) => {
  expect(explainToken(encode({ alg: 'ES256', typ }, payload)).kind).toBe(kind);
});

it('returns no time for a claim whose value is not a valid time', () => {
  const { claims } = explainToken(encode({ alg: 'ES256' }, { exp: 'soon', iat: 1e300 }));
  expect(claims.map(({ time }) => time)).toEqual([undefined, undefined]);
});

it.each(['', 'not.a.jwt', 'lgt_abc', 'a.b'])('refuses %j', (text) => {
  expect(() => explainToken(text)).toThrow('not a JWT');
});
