import { hash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { type CryptoKey, compactVerify, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { tokenId } from './token-id.ts';

const sha256 = (text: string) => hash('sha256', text, 'base64url');
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const sign = (claims: JWTPayload, key: CryptoKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(key);

/** The second valid ECDSA signature: (r, n - s) */
function twinOf(token: string): string {
  const end = token.lastIndexOf('.');
  const [signingInput, signature] = [token.slice(0, end), token.slice(end + 1)];
  const bytes = Buffer.from(signature, 'base64url');
  const s = P256_ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return `${signingInput}.${twin.toString('base64url')}`;
}

it('is the digest of the jti, of the signing input if there is no jti, or of an opaque token', async () => {
  const { privateKey } = await generateKeyPair('ES256');
  const named = await sign({ sub: 'a', jti: 'one' }, privateKey);
  const unnamed = await sign({ sub: 'a', jti: '' }, privateKey);
  const signed = unnamed.slice(0, unnamed.lastIndexOf('.'));
  expect([tokenId(named), tokenId(unnamed), tokenId(unnamed, { sub: 'a' })]).toEqual([
    sha256('one'),
    sha256(signed),
    sha256(signed),
  ]);
  for (const opaque of ['opaque', 'a.b.c', 'eyJ.not.json', 'eyJhIjoxfQ.x'])
    expect(tokenId(opaque)).toBe(sha256(opaque));
});

it('is the same for both valid forms of an ECDSA signature', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const token = await sign({ sub: 'a' }, privateKey);
  const twin = twinOf(token);
  expect(twin).not.toBe(token);
  await compactVerify(twin, publicKey);
  expect(tokenId(twin)).toBe(tokenId(token));
});
