// biome-ignore lint/style/noRestrictedImports: the one place that makes pairs.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

type KeyType = { modulusLength: number } | { namedCurve: string } | 'ed25519';

/**
 * Generates a key pair: RSA with this number of bits, EC with the named curve, or Ed25519. The keys are exported to DER
 * and imported again: on Node.js 20, exporting the result of `generateKeyPairSync` as a JWK can block for ever, on a
 * lock that garbage collection holds.
 */
export function createKeyPair(type: KeyType): { privateKey: KeyObject; publicKey: KeyObject } {
  const der = generate(type).privateKey.export({ format: 'der', type: 'pkcs8' });
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

function generate(type: KeyType) {
  if (type === 'ed25519') return generateKeyPairSync('ed25519');
  return 'namedCurve' in type ? generateKeyPairSync('ec', type) : generateKeyPairSync('rsa', type);
}

/** Generates a key pair and returns its private key as a JWK. */
export const createPrivateJwk = (type: KeyType) => createKeyPair(type).privateKey.export({ format: 'jwk' });
