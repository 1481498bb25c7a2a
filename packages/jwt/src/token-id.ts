import { hash } from 'node:crypto';
import { decodeJwt } from 'jose';

/**
 * Identifies a token in the audit trail without revealing it: SHA-256, in base64url, of its `jti`, or of the whole
 * token if it has no readable one. The `jti` is used only as a name: no signature is checked.
 */
export const tokenId = (token: string): string => hash('sha256', jtiOf(token) ?? token, 'base64url');

function jtiOf(token: string): string | undefined {
  if (!token.startsWith('eyJ')) return undefined; // opaque
  try {
    const { jti } = decodeJwt(token);
    return typeof jti === 'string' && jti !== '' ? jti : undefined;
  } catch {
    return undefined;
  }
}
