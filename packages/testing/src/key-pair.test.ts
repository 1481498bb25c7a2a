import { sign, verify } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createKeyPair, createPrivateJwk } from './key-pair.ts';

it.each([
  ['RSA', { modulusLength: 2048 }, 'rsa'],
  ['EC', { namedCurve: 'P-384' }, 'ec'],
  ['Ed25519', 'ed25519', 'ed25519'],
] as const)(
  'makes a new %s pair each time, whose public key knows what its private key signed',
  (_name, type, kind) => {
    const [one, other] = [createKeyPair(type), createKeyPair(type)];
    const signature = sign(null, Buffer.from('text'), one.privateKey);
    expect(one.publicKey.asymmetricKeyType).toBe(kind);
    expect(verify(null, Buffer.from('text'), one.publicKey, signature)).toBe(true);
    expect(verify(null, Buffer.from('text'), other.publicKey, signature)).toBe(false);
  },
);

it('makes a private JWK', () => {
  expect(createPrivateJwk({ namedCurve: 'P-256' })).toMatchObject({
    kty: 'EC',
    crv: 'P-256',
    d: expect.any(String),
  });
});
