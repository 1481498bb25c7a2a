import { constants, type KeyObject, type SignKeyObjectInput, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

/**
 * The signature algorithms we know, asymmetric only: with an HMAC among them, a public key could be used as the secret
 * (RFC 8725 §2.1).
 */
export const ASYMMETRIC_ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA', 'Ed25519'] as const;
export type Algorithm = (typeof ASYMMETRIC_ALGORITHMS)[number];

export const isAlgorithm = (alg: unknown): alg is Algorithm =>
  ASYMMETRIC_ALGORITHMS.some((known) => known === alg);

/** RFC 7518 §3 and RFC 8037 §3.1 in the terms of node:crypto. */
interface Scheme {
  readonly digest: string | null;
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  /** OpenSSL's name */
  readonly curve?: string;
  readonly options: Omit<SignKeyObjectInput, 'key'>;
}

/** The signature as two numbers of fixed size, not as DER (RFC 7518 §3.4). */
const P1363 = { dsaEncoding: 'ieee-p1363' } as const;
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const ED25519: Scheme = { digest: null, keyType: 'ed25519', options: {} };

const SCHEMES: Readonly<Record<Algorithm, Scheme>> = {
  ES256: { digest: 'sha256', keyType: 'ec', curve: 'prime256v1', options: P1363 },
  ES384: { digest: 'sha384', keyType: 'ec', curve: 'secp384r1', options: P1363 },
  PS256: { digest: 'sha256', keyType: 'rsa', options: PSS },
  RS256: { digest: 'sha256', keyType: 'rsa', options: { padding: constants.RSA_PKCS1_PADDING } },
  EdDSA: ED25519,
  Ed25519: ED25519,
};

/** RFC 7518 §3.3, §3.5 */
const MIN_RSA_BITS = 2048;

/** Whether a key is of the type, curve and size that an algorithm needs. */
export function suits(key: KeyObject, alg: Algorithm): boolean {
  const { keyType, curve } = SCHEMES[alg];
  if (key.asymmetricKeyType !== keyType) return false;
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  return keyType === 'rsa' ? modulusLength >= MIN_RSA_BITS : curve === undefined || namedCurve === curve;
}

/**
 * In this thread: handing a signature to the thread pool and back, as WebCrypto does, takes more CPU time than checking it
 * (RS256: 75 µs in place of 28; see docs/adr/0013).
 * @param key one that `suits` the algorithm
 */
export function verifySignature(alg: Algorithm, key: KeyObject, data: string, signature: Buffer): boolean {
  const { digest, options } = SCHEMES[alg];
  return verify(digest, Buffer.from(data), { key, ...options }, signature);
}

const signInThreadPool = promisify<string | null, Buffer, SignKeyObjectInput, Buffer>(sign);

/**
 * RSA signatures take ten times as long as all others, and would hold up every other request for that time, so they are
 * made in the thread pool.
 * @param key one that `suits` the algorithm
 */
export async function createSignature(alg: Algorithm, key: KeyObject, data: string): Promise<Buffer> {
  const { digest, keyType, options } = SCHEMES[alg];
  const input = { key, ...options };
  return keyType === 'rsa'
    ? signInThreadPool(digest, Buffer.from(data), input)
    : sign(digest, Buffer.from(data), input);
}
