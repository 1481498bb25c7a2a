import { expect, it } from '@jest/globals';
import { createPrivateJwk } from '@legate/testing';
import { clientKeysSetting, publicClientKeys } from './client-keys.ts';

const ec = (namedCurve = 'P-256') => createPrivateJwk({ namedCurve });
const rsa = (modulusLength: number) => createPrivateJwk({ modulusLength });
const ed25519 = () => createPrivateJwk('ed25519');
const textOf = (...keys: object[]) => JSON.stringify({ keys });

it.each([
  ['P-256', ec(), 'ES256'],
  ['RSA', rsa(2048), 'RS256'],
  ['RSA for PS256', { ...rsa(2048), alg: 'PS256' }, 'PS256'],
  ['Ed25519', ed25519(), 'Ed25519'],
  ['Ed25519 by its older name', { ...ed25519(), alg: 'EdDSA' }, 'EdDSA'],
])('accepts a key of %s', (_case, jwk, alg) => {
  expect(clientKeysSetting.parse(textOf({ ...jwk, kid: 'a' }))).toEqual([{ ...jwk, kid: 'a', alg }]);
});

const SECRET = ec();
it.each<[string, string, string]>([
  ['no JSON', 'x', 'private keys'],
  ['no keys', textOf(), 'private keys'],
  ['a public key', textOf({ ...SECRET, kid: 'a', d: undefined }), 'private keys'],
  ['a key without kid', textOf(SECRET), 'without kid'],
  ['two keys with one kid', textOf({ ...SECRET, kid: 'a' }, { ...ec(), kid: 'a' }), 'the same kid'],
  ['an algorithm that does not fit', textOf({ ...SECRET, kid: 'a', alg: 'RS256' }), 'signs with none of'],
  ['another curve', textOf({ ...ec('P-384'), kid: 'a' }), 'signs with none of'],
  ['a point that is not on the curve', textOf({ ...SECRET, kid: 'a', x: SECRET.y }), 'cannot be read'],
  ['a short RSA key', textOf({ ...rsa(1024), kid: 'a' }), 'less than 2048 bits'],
])('refuses %s, without showing it', (_case, text, fault) => {
  const { error } = clientKeysSetting.safeParse(text);
  expect(error?.issues.map(({ message }) => message).join()).toContain(fault);
  expect(JSON.stringify(error)).not.toContain(SECRET.d);
});

it('publishes no private members of a key', () => {
  const keys = clientKeysSetting.parse(textOf({ ...rsa(2048), kid: 'a' }, { ...ec(), kid: 'b' }));
  const members = publicClientKeys(keys).keys.map((key) => Object.keys(key).sort());
  expect(members).toEqual([
    ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
  ]);
});
