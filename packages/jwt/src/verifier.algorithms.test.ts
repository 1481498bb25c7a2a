import { webcrypto } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createKeyPair } from '@legate/testing';
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { createTokenVerifier, idpAccessToken, KeysUnavailable, TokenRefused } from './index.ts';

const NOW = 1_790_000_000;
const clock = () => new Date(NOW * 1000);
const ISSUER = 'https://idp.example';
const CLAIMS = { iss: ISSUER, sub: 'user_alice', aud: 'https://api.example', iat: NOW, exp: NOW + 60 };

async function keyFor(alg: string, options = {}) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, ...options });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: 'k1' };
  const sign = (header = {}) =>
    new SignJWT(CLAIMS).setProtectedHeader({ alg, kid: 'k1', typ: 'at+jwt', ...header }).sign(privateKey);
  return { jwk, publicKey, sign };
}

const verifierWith = (keys: Parameters<typeof createTokenVerifier>[1]['issuers'][number]['keys']) =>
  createTokenVerifier(idpAccessToken, { issuers: [{ issuer: ISSUER, keys }], audience: CLAIMS.aud, clock });

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (err: unknown) => (err instanceof TokenRefused ? err.reason : err),
  );

describe.each(['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA', 'Ed25519'])(
  'a token signed with %s by jose',
  (alg) => {
    it('is accepted, and refused with any other signature', async () => {
      const { jwk, sign } = await keyFor(alg);
      const verify = verifierWith(createLocalJWKSet({ keys: [jwk] }));
      const token = await sign();
      expect(await outcomeOf(verify(token))).toBe('accepted');
      const [header, payload, signature = ''] = token.split('.');
      const bytes = Buffer.from(signature, 'base64url');
      const flipped = Buffer.from(bytes);
      flipped[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      const others = [
        flipped,
        bytes.subarray(1),
        Buffer.concat([bytes, bytes]),
        Buffer.alloc(bytes.length),
        Buffer.alloc(1),
      ];
      for (const other of others) {
        const forged = `${header}.${payload}.${other.toString('base64url')}`;
        expect(await outcomeOf(verify(forged))).toBe('signature');
      }
      const stolen = Buffer.from(JSON.stringify({ ...CLAIMS, sub: 'user_mallory' })).toString('base64url');
      expect(await outcomeOf(verify(`${header}.${stolen}.${signature}`))).toBe('signature');
    });
  },
);

it.each(['PS256', 'RS256'])(
  'refuses a signature with %s that lacks its leading zero (RFC 8017 §8.1.2)',
  async (alg) => {
    const { jwk, sign } = await keyFor(alg);
    const verify = verifierWith(createLocalJWKSet({ keys: [jwk] }));
    // One signature of 256 begins with a zero.
    for (let jti = 0; jti < 10_000; jti += 1) {
      const [header, payload, signature = ''] = (await sign({ jti })).split('.');
      const bytes = Buffer.from(signature, 'base64url');
      if (bytes[0] !== 0) continue;
      expect(await outcomeOf(verify(`${header}.${payload}.${signature}`))).toBe('accepted');
      const shorter = bytes.subarray(1).toString('base64url');
      expect(await outcomeOf(verify(`${header}.${payload}.${shorter}`))).toBe('signature');
      return;
    }
    throw new Error('no signature begins with a zero');
  },
);

it('refuses a signature in DER, which JWS does not use', async () => {
  const { sign: createDer } = await import('node:crypto');
  const { publicKey, privateKey } = createKeyPair({ namedCurve: 'P-256' });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode({ alg: 'ES256', typ: 'at+jwt' })}.${encode(CLAIMS)}`;
  const token = (dsaEncoding: 'der' | 'ieee-p1363') =>
    `${input}.${createDer('sha256', Buffer.from(input), { key: privateKey, dsaEncoding }).toString('base64url')}`;
  const verify = verifierWith(createLocalJWKSet({ keys: [publicKey.export({ format: 'jwk' })] }));
  expect(await outcomeOf(verify(token('ieee-p1363')))).toBe('accepted');
  expect(await outcomeOf(verify(token('der')))).toBe('signature');
});

it('uses a key only for the algorithm that its document declares', async () => {
  const { jwk, sign } = await keyFor('RS256');
  const verify = verifierWith(createLocalJWKSet({ keys: [{ ...jwk, alg: 'PS256' }] }));
  expect(await outcomeOf(verify(await sign()))).toBe('key');
});

const secretKey = () =>
  webcrypto.subtle.importKey('raw', new Uint8Array(32), { name: 'HMAC', hash: 'SHA-256' }, true, ['verify']);
const keyWithoutUsage = async () => {
  const { jwk } = await keyFor('ES256');
  return webcrypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, true, []);
};

it.each([
  ['of another curve', 'ES256', async () => (await keyFor('ES384')).publicKey],
  ['of another type', 'ES256', async () => (await keyFor('RS256')).publicKey],
  ['that is a secret', 'ES256', secretKey],
  ['for another padding', 'RS256', async () => (await keyFor('PS256')).publicKey],
  ['for another digest', 'RS256', async () => (await keyFor('RS512')).publicKey],
  ['that may not verify', 'ES256', keyWithoutUsage],
  ['that is private', 'ES256', async () => (await generateKeyPair('ES256')).privateKey],
] as const)(
  'reports a key %s as an unusable document, not as an invalid token',
  async (_case, alg, getKey) => {
    const { sign } = await keyFor(alg);
    expect(await outcomeOf(verifierWith(getKey)(await sign()))).toBeInstanceOf(KeysUnavailable);
  },
);

it('reports RSA keys below 2048 bits as unusable', async () => {
  const { sign } = await import('node:crypto');
  const { publicKey, privateKey } = createKeyPair({ modulusLength: 1024 });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode({ alg: 'RS256', typ: 'at+jwt' })}.${encode(CLAIMS)}`;
  const token = `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
  const keys = createLocalJWKSet({ keys: [publicKey.export({ format: 'jwk' })] });
  expect(await outcomeOf(verifierWith(keys)(token))).toBeInstanceOf(KeysUnavailable);
});

it('refuses parts whose length is impossible in base64url', async () => {
  const { jwk, sign } = await keyFor('Ed25519');
  const verify = verifierWith(createLocalJWKSet({ keys: [jwk] }));
  const token = await sign();
  const [header, payload, signature = ''] = token.split('.');
  const padded = `${signature}${'A'.repeat((5 - (signature.length % 4)) % 4)}`;
  expect(padded.length % 4).toBe(1);
  expect(await outcomeOf(verify(`${header}.${payload}.${padded}`))).toBe('malformed');
});
