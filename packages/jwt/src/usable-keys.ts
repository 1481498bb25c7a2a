import type { JSONWebKeySet, JWK } from 'jose';

/** RFC 7518 §3.3 */
export const MIN_RSA_BITS = 2048;
/** Verifying a signature of 4096 bits takes a third of a millisecond; with 16,384 bits it takes five. */
const MAX_RSA_BITS = 4096;
/** Verification takes time in proportion to the bits of the exponent: 65537 is usual, and NIST SP 800-56B allows less than 2^256. */
const MAX_EXPONENT = 0xffff_ffff;
/** The curves of the algorithms that we verify */
const CURVES: Readonly<Record<string, readonly string[]>> = { EC: ['P-256', 'P-384'], OKP: ['Ed25519'] };

/**
 * Checks whether a public key may be used to verify signatures. A key is refused if it is for no supported algorithm,
 * is weak, or costs the verifier more time than the signer.
 * @returns what is wrong with the key, as a text for people; undefined if it may be used
 * @see RFC 7518 §6
 */
export function keyFault({ kty, crv, n, e }: Readonly<Partial<JWK>>): string | undefined {
  if (kty === 'RSA') {
    const bits = bitsOf(n);
    if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS)
      return `an RSA key must have ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits, and not ${bits}`;
    const exponent = bitsOf(e) > 32 ? Number.POSITIVE_INFINITY : Number(`0x${hexOf(e) || '0'}`);
    return exponent >= 3 && exponent <= MAX_EXPONENT && exponent % 2 === 1
      ? undefined
      : 'the exponent of an RSA key must be odd, and from 3 to 2^32 - 1';
  }
  const curves = kty !== undefined && Object.hasOwn(CURVES, kty) ? CURVES[kty] : undefined;
  if (!curves) return 'kty must be RSA, EC or OKP';
  return curves.includes(crv ?? '') ? undefined : `crv must be one of ${curves.join(', ')}`;
}

/** Returns the usable keys of a document. A value that is not a list of keys is returned unchanged. */
export function usableKeys(jwks: JSONWebKeySet): JSONWebKeySet {
  if (!Array.isArray(jwks?.keys)) return jwks;
  return { keys: jwks.keys.filter((jwk) => typeof jwk === 'object' && jwk && keyFault(jwk) === undefined) };
}

const hexOf = (number: unknown): string =>
  typeof number === 'string' ? Buffer.from(number, 'base64url').toString('hex').replace(/^0+/, '') : '';

function bitsOf(number: unknown): number {
  const hex = hexOf(number);
  return hex === '' ? 0 : (hex.length - 1) * 4 + Number.parseInt(hex.charAt(0), 16).toString(2).length;
}
