import { expect, it } from '@jest/globals';
import { legOf, legToWire } from './legs.ts';

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const tokenOf = (claims: object, header: object = { alg: 'ES256', typ: 'at+jwt' }): string =>
  `${encode(header)}.${encode(claims)}.c2lnbmF0dXJl`;
const shown = (token: string) => legToWire(legOf('access_token', token, { endpoint: undefined }));

it('shows header and claims, and neither the signature nor the token', () => {
  const token = tokenOf({ sub: 'user_alice', aud: ['a', 'b'], exp: 1_800_000_000, act: { sub: 'agent' } });
  const leg = shown(token);
  expect(leg.header).toEqual({ alg: 'ES256', typ: 'at+jwt' });
  expect(leg.claims).toEqual({
    sub: 'user_alice',
    aud: ['a', 'b'],
    exp: 1_800_000_000,
    act: { sub: 'agent' },
  });
  for (const part of token.split('.')) expect(JSON.stringify(leg)).not.toContain(part);
});

it('shows identifiers of a token only as a hash, equal for equal values, at any depth', () => {
  const { claims } = shown(tokenOf({ jti: 'j-1', nonce: 'n-1', sid: 's-1', inner: { jti: 'j-1' } }));
  expect(JSON.stringify(claims)).not.toMatch(/[jns]-1/);
  expect(claims?.jti).toMatch(/^sha256:[\w-]{43}$/);
  expect(claims?.inner).toEqual({ jti: claims?.jti });
});

it.each([
  ['a token', tokenOf({ sub: 'x' })],
  ['a token in a text', `see ${tokenOf({ sub: 'x' })}`],
  ['the handle of a session', `lhs_${'a'.repeat(43)}`],
  ['an API key', `lgt_${'a'.repeat(38)}`],
])('hashes %s in a claim', (_case, value) => {
  const { claims } = shown(tokenOf({ note: value, list: [value] }));
  expect(claims).toEqual({
    note: expect.stringMatching(/^sha256:/),
    list: [expect.stringMatching(/^sha256:/)],
  });
});

it('bounds long, wide and deep claims', () => {
  let deep: object = { end: true };
  for (let level = 0; level < 40; level += 1) deep = { deep };
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`m${index}`, index]));
  const { claims } = shown(tokenOf({ long: 'x'.repeat(10_000), deep, wide, list: Array(500).fill(1) }));
  expect(JSON.stringify(claims).length).toBeLessThan(5000);
});

it('copies a member that is called __proto__ without changing a prototype', () => {
  const header = encode({ alg: 'none' });
  const claims = Buffer.from('{"__proto__":{"polluted":true},"sub":"x"}').toString('base64url');
  const leg = shown(`${header}.${claims}.x`);
  expect(leg.claims?.sub).toBe('x');
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

it('shows only the values of the token response for a token that is not a JWT', () => {
  const leg = legOf('access_token', 'opaque-secret', {
    endpoint: 'https://a.example/token',
    scopes: ['read'],
    expiresAt: 1_800_000_000,
  });
  expect(legToWire(leg)).toEqual({
    leg: 'access_token',
    endpoint: 'https://a.example/token',
    header: null,
    claims: null,
    scopes: ['read'],
    expires_at: '2027-01-15T08:00:00.000Z',
  });
});
