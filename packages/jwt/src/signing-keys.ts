import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
} from 'jose';
import { signJwt } from './jws.ts';

const SIGNING_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'Ed25519'] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

export interface SigningKeys {
  /**
   * Signs with the active key. The claims are not changed: the caller sets `iss`, `iat` and `exp`. Without a `typ` the
   * header has none.
   */
  sign(claims: JWTPayload, header: { typ: string | undefined }): Promise<string>;
  /** The public keys, as a JWKS document: the active one first, then those that verifiers may still need. */
  publicJwks(): JSONWebKeySet;
  /** The private keys in the same order, for a library that creates signatures itself. Never publish or log them. */
  privateJwks(): JSONWebKeySet;
  /**
   * Generates a new active key. The old one stays published for `retainSeconds`.
   * @returns the new key's `kid`
   */
  rotate(): Promise<string>;
}

interface SigningKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly privateKey: CryptoKey;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
  /** Epoch milliseconds after which the key is removed; undefined while it signs. */
  readonly retireAt?: number;
}

/**
 * @param options.jwks private JWKS; its first key signs, the others are only published. Default: generates a key.
 * @param options.retainSeconds how long a replaced key stays published: the longest lifetime of a token that it signed,
 * plus the time that verifiers may cache the document. Default 86 400.
 * @throws {Error} if `jwks` is empty, repeats a `kid`, or contains a key that cannot sign with one of our algorithms
 */
export async function createSigningKeys(options: {
  alg: SigningAlgorithm;
  clock: () => Date;
  jwks?: JSONWebKeySet;
  retainSeconds?: number;
}): Promise<SigningKeys> {
  const retainMs = (options.retainSeconds ?? 86_400) * 1000;
  let keys = options.jwks
    ? await importSigningKeys(options.jwks, options.alg)
    : [await generateSigningKey(options.alg)];

  const current = (): readonly SigningKey[] => {
    const now = options.clock().getTime();
    keys = keys.filter((key) => key.retireAt === undefined || key.retireAt > now);
    return keys;
  };
  const active = (): SigningKey => {
    const [first] = keys;
    if (!first) throw new Error('no signing key');
    return first;
  };

  return {
    async sign(claims, { typ }) {
      const { alg, kid, privateKey } = active();
      return signJwt({ alg, ...(typ !== undefined && { typ }), kid }, claims, privateKey);
    },
    publicJwks: () => ({ keys: current().map((key) => key.publicJwk) }),
    privateJwks: () => ({ keys: current().map((key) => key.privateJwk) }),
    async rotate() {
      const next = await generateSigningKey(options.alg);
      const retireAt = options.clock().getTime() + retainMs;
      keys = [next, ...current().map((key) => ({ ...key, retireAt: key.retireAt ?? retireAt }))];
      return next.kid;
    },
  };
}

async function generateSigningKey(alg: SigningAlgorithm): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
  return importSigningKey(await exportJWK(privateKey), alg);
}

async function importSigningKeys(jwks: JSONWebKeySet, alg: SigningAlgorithm): Promise<SigningKey[]> {
  if (jwks.keys.length === 0) throw new Error('the JWKS of signing keys is empty');
  const keys = await Promise.all(jwks.keys.map((jwk) => importSigningKey(jwk, alg)));
  const kids = new Set(keys.map(({ kid }) => kid));
  if (kids.size !== keys.length) throw new Error('two signing keys have the same kid');
  return keys;
}

async function importSigningKey(jwk: JWK, defaultAlg: SigningAlgorithm): Promise<SigningKey> {
  if (!jwk.d || jwk.kty === 'oct') throw new Error('a signing key must be an asymmetric private JWK');
  const alg = jwk.alg ?? defaultAlg;
  if (!isSigningAlgorithm(alg)) throw new Error(`a signing key must be for ${SIGNING_ALGORITHMS.join(', ')}`);
  const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk));
  const privateJwk: JWK = { ...jwk, kid, alg, use: 'sig' };
  // `jws.ts` needs its KeyObject, which newer versions of Node.js return only for extractable keys (DEP0204).
  const privateKey = await importJWK(privateJwk, alg, { extractable: true });
  if (privateKey instanceof Uint8Array) throw new Error('a signing key must be asymmetric');
  // This finds a key of the wrong curve or below 2048 bits when the service starts, not when it signs its first token.
  signJwt({ alg }, {}, privateKey);
  return { kid, alg, privateKey, privateJwk, publicJwk: publicJwk(privateJwk) };
}

function isSigningAlgorithm(alg: string): alg is SigningAlgorithm {
  return SIGNING_ALGORITHMS.some((known) => known === alg);
}

/** RFC 7517 §4 and RFC 7518 §6: what may be published. An allow-list, so that no private member ever slips through. */
export function publicJwk({ kty, kid, alg, use, crv, x, y, n, e }: JWK): JWK {
  return JSON.parse(JSON.stringify({ kty, kid, alg, use, crv, x, y, n, e })) as JWK;
}
