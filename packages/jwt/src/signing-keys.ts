import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';

export type SigningAlgorithm = 'ES256' | 'RS256' | 'PS256' | 'Ed25519';

export interface SigningKeys {
  /** Signs with the active key. The claims are used as they are: `iss`, `iat` and `exp` are the caller's. */
  sign(claims: JWTPayload, header: { typ: string }): Promise<string>;
  /** The public keys, as a JWKS document: the active one first, then those that verifiers may still need. */
  publicJwks(): JSONWebKeySet;
  /** The private keys in the same order, for an engine that signs by itself. Never publish or log it. */
  privateJwks(): JSONWebKeySet;
  /**
   * Makes a new key the active one. The old one stays published for `retainSeconds`.
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
  /** Epoch milliseconds after which the key is forgotten; undefined while it signs. */
  readonly retireAt?: number;
}

/**
 * @param options.jwks private JWKS; its first key signs, the others are only published. Without it a key is generated.
 * @param options.retainSeconds how long a replaced key stays published: the longest life of a token it signed, plus the
 * time that verifiers may cache the document. Default 86 400.
 * @throws {Error} when `jwks` is empty or holds a key that is not an asymmetric private key
 */
export async function createSigningKeys(options: {
  alg: SigningAlgorithm;
  clock: () => Date;
  jwks?: JSONWebKeySet;
  retainSeconds?: number;
}): Promise<SigningKeys> {
  const retainMs = (options.retainSeconds ?? 86_400) * 1000;
  const given = options.jwks?.keys ?? [];
  if (options.jwks && given.length === 0) throw new Error('the JWKS of signing keys is empty');
  let keys = options.jwks
    ? await Promise.all(given.map((jwk) => importSigningKey(jwk, options.alg)))
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
      return new SignJWT(claims).setProtectedHeader({ alg, typ, kid }).sign(privateKey);
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

async function importSigningKey(jwk: JWK, defaultAlg: SigningAlgorithm): Promise<SigningKey> {
  if (!jwk.d || jwk.kty === 'oct') throw new Error('a signing key must be an asymmetric private JWK');
  const alg = (jwk.alg ?? defaultAlg) as SigningAlgorithm;
  const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk));
  const privateJwk: JWK = { ...jwk, kid, alg, use: 'sig' };
  const privateKey = await importJWK(privateJwk, alg);
  if (privateKey instanceof Uint8Array) throw new Error('a signing key must be asymmetric');
  return { kid, alg, privateKey, privateJwk, publicJwk: publicPart(privateJwk) };
}

/** RFC 7517 §4 and RFC 7518 §6: what may be published. An allow-list, so that no private member ever slips through. */
function publicPart({ kty, kid, alg, use, crv, x, y, n, e }: JWK): JWK {
  return JSON.parse(JSON.stringify({ kty, kid, alg, use, crv, x, y, n, e })) as JWK;
}
