import { expect, it } from '@jest/globals';
import { createPrivateJwk } from '@legate/testing';
import { cookieKeysOf } from './cookie-keys.ts';

const [first, second] = [
  createPrivateJwk({ namedCurve: 'P-256' }),
  createPrivateJwk({ namedCurve: 'P-256' }),
];

it('derives the same cookie keys from the same signing keys, in the same order', () => {
  const both = cookieKeysOf({ keys: [first, second] });
  expect(new Set(both).size).toBe(2);
  expect(cookieKeysOf({ keys: [second, first] })).toEqual(both.toReversed());
});

it('does not reveal the signing key', () => {
  const [key = ''] = cookieKeysOf({ keys: [first] });
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(key).not.toBe(first.d);
});

it('refuses a public key', () => {
  expect(() => cookieKeysOf({ keys: [{ kty: 'EC' }] })).toThrow('private keys');
});
