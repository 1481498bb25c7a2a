import { expect, it } from '@jest/globals';
import { createKeyPair } from '@legate/testing';
import type { JWK } from 'jose';
import { createKeySet, createLocalKeys, keyFault } from './index.ts';

const number = (bits: number): string => {
  const bytes = Buffer.alloc(Math.ceil(bits / 8), 0xff);
  bytes[0] = 0xff >> (8 * bytes.length - bits);
  return bytes.toString('base64url');
};
const rsa = (bits: number, e = 'AQAB'): JWK => ({ kty: 'RSA', n: number(bits), e });
const hex = (text: string) => Buffer.from(text, 'hex').toString('base64url');

it.each<[string, JWK]>([
  ['RSA of 2048 bits', rsa(2048)],
  ['RSA of 3072 bits', rsa(3072)],
  ['RSA of 4096 bits', rsa(4096)],
  ['RSA with leading zeros', { kty: 'RSA', n: hex(`0000${'ff'.repeat(512)}`), e: hex('00010001') }],
  ['RSA with the exponent 3', rsa(2048, hex('03'))],
  ['RSA with the greatest exponent', rsa(2048, hex('ffffffff'))],
  ['EC on P-256', { kty: 'EC', crv: 'P-256' }],
  ['EC on P-384', { kty: 'EC', crv: 'P-384' }],
  ['Ed25519', { kty: 'OKP', crv: 'Ed25519' }],
])('uses a key that is %s', (_case, jwk) => {
  expect(keyFault(jwk)).toBeUndefined();
});

it.each<[string, Record<string, unknown>, RegExp]>([
  ['RSA of 2047 bits', rsa(2047), /not 2047/],
  ['RSA of 4097 bits', rsa(4097), /not 4097/],
  ['RSA of 16,384 bits', rsa(16_384), /not 16384/],
  ['short, behind leading zeros', { kty: 'RSA', n: hex(`${'00'.repeat(256)}ff`), e: 'AQAB' }, /not 8/],
  ['RSA with an exponent as long as its modulus', rsa(3072, number(3072)), /exponent/],
  ['RSA with an exponent of 33 bits', rsa(2048, hex('0100000001')), /exponent/],
  ['RSA with an even exponent', rsa(2048, hex('010000')), /exponent/],
  ['RSA with the exponent 1', rsa(2048, hex('01')), /exponent/],
  ['RSA with the exponent 0', rsa(2048, hex('00')), /exponent/],
  ['RSA without an exponent', { kty: 'RSA', n: number(2048) }, /exponent/],
  ['RSA without a modulus', { kty: 'RSA', e: 'AQAB' }, /not 0/],
  ['RSA with numbers that are no text', { kty: 'RSA', n: 5, e: 3 }, /not 0/],
  ['EC on P-521', { kty: 'EC', crv: 'P-521' }, /P-256, P-384/],
  ['EC on secp256k1', { kty: 'EC', crv: 'secp256k1' }, /P-256, P-384/],
  ['OKP for key agreement', { kty: 'OKP', crv: 'X25519' }, /Ed25519/],
  ['EC without a curve', { kty: 'EC' }, /P-256/],
  ['symmetric', { kty: 'oct', k: 'AAAA' }, /kty/],
  ['named like an inherited member', { kty: 'constructor' }, /kty/],
  ['of no kind', {}, /kty/],
])('does not use a key that is %s', (_case, jwk, why) => {
  expect(keyFault(jwk)).toMatch(why);
});

it('leaves unusable keys out of local and fetched key sets, and finds the others', async () => {
  const { publicKey } = createKeyPair({ namedCurve: 'P-256' });
  const good = { ...publicKey.export({ format: 'jwk' }), kid: 'good', alg: 'ES256' } as JWK;
  const keys = [{ ...rsa(3072, number(3072)), kid: 'costly' }, good];
  const sets = [
    createLocalKeys({ keys }),
    createKeySet({ issuer: 'i', load: async () => ({ keys }), clock: () => new Date(0) }),
  ];
  for (const find of sets) {
    expect((await find({ alg: 'ES256', kid: 'good' })).type).toBe('public');
    await expect(find({ alg: 'RS256', kid: 'costly' })).rejects.toThrow('no applicable key');
  }
});
