import { hash } from 'node:crypto';
import { decodeJwt } from 'jose';

/**
 * Identifies a token in the audit trail and among what was revoked, without revealing it: SHA-256, in base64url, of its
 * `jti`, or if it has no readable one, of what is signed. The signature is no part of it: that of ECDSA has a twin, so the
 * same token can be written in two ways. An opaque token is named by the whole of it.
 * No signature is checked: this is a name, and proves nothing.
 * @param claims those of the token, if the caller has read them
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
