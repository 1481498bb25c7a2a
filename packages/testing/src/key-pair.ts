// biome-ignore lint/style/noRestrictedImports: the one place that makes pairs.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

type KeyType = { modulusLength: number } | { namedCurve: string } | 'ed25519';

/**
 * A new key pair: RSA of so many bits, EC of the named curve, or Ed25519. Its keys are read again from DER: on Node.js 20, to
 * export as a JWK what comes out of `generateKeyPairSync` can wait for ever, for a lock that garbage collection has taken.
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

/** The private key of a new pair, as a JWK. */
export const createPrivateJwk = (type: KeyType) => createKeyPair(type).privateKey.export({ format: 'jwk' });
