import { constants, sign } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createKeyPair } from '@legate/testing';
import { createLocalJWKSet, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import { TokenRefused } from './errors.ts';
import { readJwt, signJwt, verifyJws } from './jws.ts';

const CLAIMS: JWTPayload = {
  iss: 'https://idp.example',
  sub: 'Ünïcode 😀 \ud800 "quoted"',
  exp: 1_790_000_000.5,
  nested: { absent: undefined, list: [undefined, null, Number.NaN] },
};

it.each(['RS256', 'Ed25519'] as const)('creates with %s the same token as jose', async (alg) => {
  const { privateKey } = await generateKeyPair(alg);
  const header = { alg, typ: 'at+jwt', kid: 'k1' };
  const byJose = await new SignJWT(CLAIMS).setProtectedHeader(header).sign(privateKey);
  expect(signJwt(header, CLAIMS, privateKey)).toBe(byJose);
});

it.each(['iat', 'nbf', 'exp'])('does not sign a token whose %s would become null', async (name) => {
  const { privateKey } = await generateKeyPair('ES256');
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => signJwt({ alg: 'ES256' }, { [name]: value }, privateKey)).toThrow(
      `${name} must be a finite number`,
    );
});

const weakKey = async () => {
  const { privateKey } = createKeyPair({ modulusLength: 1024 });
  const key = await importJWK(privateKey.export({ format: 'jwk' }), 'RS256');
  if (key instanceof Uint8Array) throw new Error('a secret');
  return key;
};

it.each([
  ['of another curve', 'ES256', async () => (await generateKeyPair('ES384')).privateKey],
  ['of another type', 'ES256', async () => (await generateKeyPair('Ed25519')).privateKey],
  ['for another padding', 'RS256', async () => (await generateKeyPair('PS256')).privateKey],
  ['for another digest', 'RS256', async () => (await generateKeyPair('RS512')).privateKey],
  ['that is public', 'ES256', async () => (await generateKeyPair('ES256')).publicKey],
  ['below 2048 bits', 'RS256', weakKey],
] as const)('does not sign with a key %s', async (_case, alg, getKey) => {
  const key = await getKey();
  expect(() => signJwt({ alg }, {}, key)).toThrow(TypeError);
});

it.each([0, 31, 33, 64])('refuses PS256 with a salt of %d bytes', async (saltLength) => {
  const { publicKey, privateKey } = createKeyPair({ modulusLength: 2048 });
  const key = await createLocalJWKSet({ keys: [publicKey.export({ format: 'jwk' })] })({ alg: 'PS256' });
  const signed = (bytes: number) => {
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const signature = sign('sha256', Buffer.from('e30.e30'), { key: privateKey, padding, saltLength: bytes });
    return readJwt(`e30.e30.${signature.toString('base64url')}`);
  };
  expect(() => verifyJws('PS256', key, signed(32))).not.toThrow();
  expect(() => verifyJws('PS256', key, signed(saltLength))).toThrow(TokenRefused);
});

it.each(['ES256', 'ES384', 'RS256', 'PS256', 'Ed25519'] as const)(
  'accepts only one encoding of a signature with %s',
  async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg);
    const token = signJwt({ alg }, { sub: 'a' }, privateKey);
    expect(() => verifyJws(alg, publicKey, readJwt(token))).not.toThrow();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const others = [...alphabet].map((last) => token.slice(0, -1) + last).filter((other) => other !== token);
    for (const other of others) expect(() => verifyJws(alg, publicKey, readJwt(other))).toThrow(TokenRefused);
  },
);
