import { hash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { generateKeyPair } from 'jose';
import { TokenRefused } from './errors.ts';
import { readJwt, signJwt, verifyJws } from './jws.ts';
import { tokenId } from './token-id.ts';

const sha256 = (text: string) => hash('sha256', text, 'base64url');
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The other signature of ECDSA that is as good: (r, n - s) */
function twinOf(token: string): string {
  const { signingInput, signature } = readJwt(token);
  const bytes = Buffer.from(signature, 'base64url');
  const s = P256_ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return `${signingInput}.${twin.toString('base64url')}`;
}

it('is the digest of the jti, or of what is signed, or of an opaque token', async () => {
  const { privateKey } = await generateKeyPair('ES256');
  const named = signJwt({ alg: 'ES256' }, { sub: 'a', jti: 'one' }, privateKey);
  const unnamed = signJwt({ alg: 'ES256' }, { sub: 'a', jti: '' }, privateKey);
  const signed = unnamed.slice(0, unnamed.lastIndexOf('.'));
  expect([tokenId(named), tokenId(unnamed), tokenId(unnamed, { sub: 'a' })]).toEqual([
    sha256('one'),
    sha256(signed),
    sha256(signed),
  ]);
  for (const opaque of ['opaque', 'a.b.c', 'eyJ.not.json', 'eyJhIjoxfQ.x'])
    expect(tokenId(opaque)).toBe(sha256(opaque));
});

it('is the same for the twin of a signature, which is as good', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const token = signJwt({ alg: 'ES256' }, { sub: 'a' }, privateKey);
  const twin = twinOf(token);
  expect(twin).not.toBe(token);
  expect(() => verifyJws('ES256', publicKey, readJwt(twin))).not.toThrow();
  expect(tokenId(twin)).toBe(tokenId(token));
});

it.each(['ES256', 'ES384', 'RS256', 'PS256', 'Ed25519'] as const)(
  'no signature of %s is good in another spelling',
  async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg);
    const token = signJwt({ alg }, { sub: 'a' }, privateKey);
    expect(() => verifyJws(alg, publicKey, readJwt(token))).not.toThrow();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const others = [...alphabet].map((last) => token.slice(0, -1) + last).filter((other) => other !== token);
    for (const other of others) expect(() => verifyJws(alg, publicKey, readJwt(other))).toThrow(TokenRefused);
  },
);
