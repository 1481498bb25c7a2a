import { constants, KeyObject, type SigningOptions, sign, verify } from 'node:crypto';
import type { CryptoKey } from 'jose';
import { TokenRefused } from './errors.ts';
import { MIN_RSA_BITS } from './usable-keys.ts';

/*
 * Compact JWS (RFC 7515) with `node:crypto`, in the calling thread, only for `verifier.ts` and `signing-keys.ts`: compared
 * with jose, it saves a third of the CPU time of a JWT bearer grant (docs/adr/0062). jose still
 *
 * - selects the key of a token from a key set, by `kid`, `alg`, `use`, `key_ops` and type, and imports it (`key-set.ts`);
 * - generates, imports and names signing keys (`signing-keys.ts`);
 * - decodes tokens that nobody verifies (`token-id.ts`, `claims.ts`, the doctor of the hub);
 * - is the reference: `jws.differential.test.ts` compares its results with ours.
 */

interface Algorithm {
  /** The key's algorithm in the Web Cryptography API */
  readonly name: string;
  readonly namedCurve?: string;
  /** Digest of the signing input; null if the algorithm defines it. */
  readonly digest: 'sha256' | 'sha384' | null;
  readonly options?: SigningOptions;
}

const ED25519: Algorithm = { name: 'Ed25519', digest: null };
const P1363 = { dsaEncoding: 'ieee-p1363' } as const; // RFC 7518 §3.4: R and S at full length, not DER
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }; // RFC 7518 §3.5

/** Asymmetric only: with an HMAC in the list, a public key could be used as the secret (RFC 8725 §2.1). */
const ALGORITHMS = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', digest: 'sha256', options: P1363 },
  ES384: { name: 'ECDSA', namedCurve: 'P-384', digest: 'sha384', options: P1363 },
  PS256: { name: 'RSA-PSS', digest: 'sha256', options: PSS },
  RS256: { name: 'RSASSA-PKCS1-v1_5', digest: 'sha256' },
  EdDSA: ED25519,
  Ed25519: ED25519,
} as const satisfies Record<string, Algorithm>;
export type JwsAlgorithm = keyof typeof ALGORITHMS;
export const ASYMMETRIC_ALGORITHMS = Object.keys(ALGORITHMS).filter(isJwsAlgorithm);

/** Three parts of base64url. An encrypted token has five parts, and the JSON serialization has other characters. */
const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** A JWT that was parsed but not verified: anybody may have written it. */
export interface UnverifiedJwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signingInput: string;
  /** The signature in base64url, not decoded yet */
  readonly signature: string;
}

/**
 * Reads a JWT in compact form. Verifies nothing.
 * @throws {TokenRefused} `malformed`
 */
export function readJwt(token: string): UnverifiedJwt {
  if (!COMPACT_JWS.test(token)) throw new TokenRefused('malformed');
  const headerEnd = token.indexOf('.');
  const inputEnd = token.lastIndexOf('.');
  return {
    header: readObject(token.slice(0, headerEnd)),
    claims: readObject(token.slice(headerEnd + 1, inputEnd)),
    signingInput: token.slice(0, inputEnd),
    signature: token.slice(inputEnd + 1),
  };
}

export function isJwsAlgorithm(alg: unknown): alg is JwsAlgorithm {
  return typeof alg === 'string' && Object.hasOwn(ALGORITHMS, alg);
}

/**
 * Checks `crit` (RFC 7515 §4.1.11). The only supported extension is `b64` (RFC 7797), which a JWT must not use to leave
 * its claims unencoded (§7).
 * @throws {TokenRefused} `malformed` or `critical_header`
 */
export function checkCritical({ crit, b64 }: UnverifiedJwt['header']): void {
  if (crit === undefined) return;
  const names: readonly unknown[] = Array.isArray(crit) ? crit : [];
  if (names.length === 0 || names.some((name) => typeof name !== 'string' || name === ''))
    throw new TokenRefused('malformed');
  if (names.some((name) => name !== 'b64')) throw new TokenRefused('critical_header');
  if (b64 !== true) throw new TokenRefused('malformed');
}

/**
 * Verifies a signature in the calling thread.
 * @throws {TokenRefused} `malformed` or `signature`
 * @throws {TypeError} if the key is not a public key for `alg`
 */
export function verifyJws(
  alg: JwsAlgorithm,
  key: CryptoKey,
  { signingInput, signature }: UnverifiedJwt,
): void {
  const bytes = decode(signature);
  checkKey(alg, key, 'public');
  if (!isCanonical(signature)) throw new TokenRefused('signature');
  const { digest, options }: Algorithm = ALGORITHMS[alg];
  const input = Buffer.from(signingInput, 'latin1');
  // OpenSSL accepts a PS256 signature without its leading zeros, so one token could have two encodings.
  const { modulusLength }: { name: string; modulusLength?: number } = key.algorithm;
  if (modulusLength !== undefined && bytes.length !== Math.ceil(modulusLength / 8))
    throw new TokenRefused('signature');
  if (!verify(digest, input, { key: KeyObject.from(key), ...options }, bytes))
    throw new TokenRefused('signature');
}

/**
 * Returns the compact JWS of a header and claims.
 * @throws {TypeError} if the key is not a private key for `alg`, or a time among the claims is not a finite number
 */
export function signJwt(
  header: { readonly alg: JwsAlgorithm; readonly kid?: string; readonly typ?: string },
  claims: Readonly<Record<string, unknown>>,
  key: CryptoKey,
): string {
  checkKey(header.alg, key, 'private');
  const { digest, options }: Algorithm = ALGORITHMS[header.alg];
  // In JSON it would become null.
  for (const name of ['iat', 'nbf', 'exp'])
    if (typeof claims[name] === 'number' && !Number.isFinite(claims[name]))
      throw new TypeError(`${name} must be a finite number`);
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = sign(digest, Buffer.from(input, 'latin1'), { key: KeyObject.from(key), ...options });
  return `${input}.${signature.toString('base64url')}`;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Refuses a length that base64url cannot have. `Buffer` would ignore the last character. */
function decode(part: string): Buffer {
  if (part.length % 4 === 1) throw new TokenRefused('malformed');
  return Buffer.from(part, 'base64url');
}

const CANONICAL_ENDS: Readonly<Record<number, RegExp>> = { 2: /[AQgw]$/, 3: /[AEIMQUYcgkosw048]$/ };

/**
 * RFC 4648 §3.5: the unused bits of the last character must be zero. Otherwise a signature could be written in up to
 * sixteen ways; in the other parts, the signature covers these bits.
 */
const isCanonical = (part: string): boolean => CANONICAL_ENDS[part.length % 4]?.test(part) ?? true;

function readObject(part: string): Readonly<Record<string, unknown>> {
  const bytes = decode(part);
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(bytes));
  } catch (cause) {
    throw new TokenRefused('malformed', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TokenRefused('malformed');
  return value as Readonly<Record<string, unknown>>;
}

function checkKey(alg: JwsAlgorithm, key: CryptoKey, type: 'public' | 'private'): void {
  const { name, namedCurve }: Algorithm = ALGORITHMS[alg];
  const own: { name: string; namedCurve?: string; hash?: { name: string }; modulusLength?: number } =
    key.algorithm;
  const isRsa = name.startsWith('RSA');
  const fits = own.name === name && own.namedCurve === namedCurve && (!isRsa || own.hash?.name === 'SHA-256');
  const usage = type === 'public' ? 'verify' : 'sign';
  if (!fits || key.type !== type || !key.usages.includes(usage))
    throw new TypeError(`the key is not for ${alg}`);
  if (isRsa && !((own.modulusLength ?? 0) >= MIN_RSA_BITS)) throw new TypeError('the RSA key is too short');
}
