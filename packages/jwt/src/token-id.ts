import { hash } from 'node:crypto';
import { decodeJwt } from 'jose';

/**
 * Returns an id of a token for the audit trail and for revocation, which does not reveal the token: SHA-256, in
 * base64url, of its `jti`, or of its signing input if it has no readable `jti`. The signature is not part of the
 * digest, because an ECDSA signature has a second valid form, so the same token can be written in two ways. For an
 * opaque token it is the digest of the whole token. No signature is checked, so the id proves nothing.
 * @param claims of the token, if the caller has parsed them
 */
export function tokenId(token: string, claims = claimsOf(token)): string {
  const jti = claims?.jti;
  const signed = claims ? token.slice(0, token.lastIndexOf('.')) : token;
  return hash('sha256', typeof jti === 'string' && jti !== '' ? jti : signed, 'base64url');
}

/** @returns undefined if it is opaque */
function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  if (!token.startsWith('eyJ')) return undefined;
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}
