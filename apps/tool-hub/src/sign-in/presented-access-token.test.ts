import { expect, it } from '@jest/globals';
import { Problem } from '@legate/service';
import { lifetimeOf } from './presented-access-token.ts';

const NOW = 1_700_000_000;
const TERMS = {
  issuer: 'https://idp.example',
  audiences: ['tool-hub', 'https://hub.example'],
  hubClientId: 'tool-hub',
};
const CLAIMS = { iss: 'https://idp.example', sub: 'user_alice', aud: 'tool-hub', exp: NOW + 600 };

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** JSON.parse reads the number as infinite. */
const ENDLESS = Buffer.from(JSON.stringify({ ...CLAIMS, exp: 1 }).replace(':1}', ':1e999}')).toString(
  'base64url',
);
const jwtOf = (claims: Record<string, unknown>, typ = 'at+jwt') =>
  `${part({ alg: 'RS256', typ })}.${part({ ...CLAIMS, ...claims })}.c2lnbmF0dXJl`;
const read = (token: string, terms = {}, idToken = 'the-id-token') =>
  lifetimeOf(token, { idToken, userId: 'user_alice' }, { ...TERMS, ...terms }, NOW);

it.each<[string, Record<string, unknown>]>([
  ["the hub's client as audience", {}],
  ['the hub as one of the audiences', { aud: ['https://api.example', 'https://hub.example'] }],
  ["another audience, issued to the hub's client", { aud: 'https://api.example', azp: 'tool-hub' }],
  ["another audience, with the hub's client_id", { aud: 'account', client_id: 'tool-hub' }],
])('takes a token with %s, until it expires', (_case, claims) => {
  expect(read(jwtOf(claims))).toBe(600);
});

it.each([
  ['an opaque one', 'an-opaque-token'],
  ['one that only looks like a JWT', 'eyJhbGciOiJub25lIn0.not-json.'],
  ['an encrypted one', 'eyJhbGciOiJkaXIifQ.a.b.c.d'],
  ['one without an end', jwtOf({ exp: undefined })],
  ['one with an odd end', jwtOf({ exp: 'soon' })],
  ['one that never ends', jwtOf({ exp: 1 }).replace(part({ ...CLAIMS, exp: 1 }), ENDLESS)],
])('does not know how long %s is valid', (_case, token) => {
  expect(read(token)).toBeUndefined();
});

it.each<[string, Record<string, unknown>]>([
  ['of another issuer', { iss: 'https://other.example' }],
  ['of another user', { sub: 'user_bob' }],
  ['without a user', { sub: undefined }],
  ['for another audience', { aud: 'https://api.example', azp: 'frontend-app' }],
  ['without an audience', { aud: undefined }],
  ['that has expired', { exp: NOW }],
])('refuses a token %s', (_case, claims) => {
  expect(() => read(jwtOf(claims))).toThrow(Problem);
});

it('finds the user in the claim of the provider', () => {
  expect(read(jwtOf({ sub: 'pairwise', oid: 'user_alice' }), { userClaim: 'oid' })).toBe(600);
});

it('refuses the ID token of the same request', () => {
  const token = jwtOf({});
  expect(() => read(token, {}, token)).toThrow(Problem);
});
