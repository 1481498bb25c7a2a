import { hash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';

/**
 * Identifies a token in the audit trail without revealing it: SHA-256, in base64url, of its `jti`, or of the whole
 * token if it has no readable one. The `jti` is used only as a name: no signature is checked.
 */
export function tokenId(token: string): string {
  const ofAll = hash('sha256', token, 'base64url');
  const remembered = known.get(ofAll);
  if (remembered !== undefined) return remembered;
  const jti = jtiOf(token);
  const id = jti === undefined ? ofAll : hash('sha256', jti, 'base64url');
  known.set(ofAll, id);
  return id;
}

/** Hash of a token → its id: most calls come with tokens of the call before, and reading one costs four times as much. */
const known = new LRUCache<string, string>({ max: 10_000 });

function jtiOf(token: string): string | undefined {
  if (!token.startsWith('eyJ')) return undefined; // opaque
  try {
    const { jti } = decodeJwt(token);
    return typeof jti === 'string' && jti !== '' ? jti : undefined;
  } catch {
    return undefined;
  }
}
