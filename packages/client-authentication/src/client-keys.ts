import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { privateJwks, publicJwk } from '@legate/jwt';
import { z } from 'zod';

/** A private JWK with `kid` and `alg` */
export type ClientKey = Readonly<Record<string, unknown>> & { readonly kid: string; readonly alg: string };

const MIN_RSA_BITS = 2048;
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  RSA: ['RS256', 'PS256'],
  'P-256': ['ES256'],
  Ed25519: ['Ed25519', 'EdDSA'],
};

/**
 * Parses a setting with our private keys at an authorization server: a JWKS in JSON. The first key signs. The others
 * are only published, so that both keys are published during a rotation. Error messages never quote the text.
 */
export const clientKeysSetting = privateJwks().transform((jwks, context): readonly ClientKey[] => {
  const keys = jwks.keys.map(toClientKey);
  const fault = keys.find((key) => typeof key === 'string');
  const usable = keys.filter((key) => typeof key !== 'string');
  const hasTwice = new Set(usable.map(({ kid }) => kid)).size < usable.length;
  const message = fault ?? (hasTwice ? 'has two keys with the same kid' : undefined);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
  return usable;
});

/**
 * Reads our private key at one authorization server, which may identify the key without a `kid`.
 * @param text a private JWK in JSON
 * @returns the key with `alg`, or a description of the fault, which quotes nothing of the key
 */
export function readClientKey(text: string): (Readonly<Record<string, unknown>> & { alg: string }) | string {
  const { success, data } = PrivateJwk.safeParse(parse(text));
  return success ? withAlgorithm(data) : 'is no JWK in JSON';
}

const PrivateJwk = z.looseObject({ kty: z.string(), kid: z.string().min(1).optional() });

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** @returns a description of the fault if the key cannot be used */
function toClientKey(jwk: Readonly<Record<string, unknown>>): ClientKey | string {
  const { kid } = jwk;
  if (typeof kid !== 'string' || kid === '')
    return 'has a key without kid, by which the server finds the key';
  const read = withAlgorithm(jwk);
  return typeof read === 'string' ? `has a key that ${read}` : { ...read, kid };
}

/** @returns a description of the fault if the key cannot be used */
function withAlgorithm(jwk: Readonly<Record<string, unknown>>): (typeof jwk & { alg: string }) | string {
  const algorithms = ALGORITHMS[String(jwk.crv ?? jwk.kty)];
  const alg = jwk.alg ?? algorithms?.[0];
  if (typeof alg !== 'string' || !algorithms?.includes(alg))
    return `signs with none of ${Object.values(ALGORITHMS).flat().join(', ')}`;
  try {
    const key = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS;
    if (bits < MIN_RSA_BITS) return `has less than ${MIN_RSA_BITS} bits`;
  } catch {
    return 'cannot be read';
  }
  return { ...jwk, alg };
}

/** Returns the public parts of keys as a JWKS document (RFC 7517 §5), for the authorization server. */
export const publicClientKeys = (keys: readonly ClientKey[]) => ({
  keys: keys.map((key) => publicJwk({ ...key, use: 'sig' })),
});
