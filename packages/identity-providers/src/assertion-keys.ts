import { findKind, type KindName } from './kinds.ts';

/** Why a key of a client does not do at a kind of provider, and what helps */
export interface AssertionKeyFault {
  /** Predicate of a sentence about the key */
  readonly says: string;
  readonly helps: string;
}

/**
 * Compares a key that signs assertions of a client with what the kind of provider accepts by its documents, which a
 * provider may contradict.
 * @param key private JWK with `alg`
 * @returns undefined if the key does
 */
export function assertionKeyFault(
  kind: KindName,
  key: Readonly<Record<string, unknown>>,
): AssertionKeyFault | undefined {
  if (kind === 'generic') return undefined; // no documents say what it accepts
  const { title, assertionAlgorithms: algorithms, findsKeysBy } = findKind(kind);
  const { alg = 'an unknown algorithm', 'x5t#S256': sha256, x5t: sha1 } = key;
  if (algorithms.length === 0)
    return {
      says: `is of no use: ${title} accepts no keys of clients, by its documents`,
      helps: 'Use a secret.',
    };
  if (!algorithms.some((each) => each === alg))
    return {
      says: `signs with ${alg}, which ${title} does not accept, by its documents`,
      helps: `Use a key for ${algorithms.join(' or ')}.`,
    };
  return findsKeysBy === 'certificate' && sha256 === undefined && sha1 === undefined
    ? {
        says: `has no x5t#S256, by which ${title} finds its certificate, by its documents`,
        helps:
          'Add x5t#S256 to the key: the base64url SHA-256 thumbprint of the certificate that is registered there.',
      }
    : undefined;
}
