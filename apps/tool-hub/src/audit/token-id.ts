import { hash } from 'node:crypto';
import { decodeJwt } from 'jose';

/**
 * By what a token is recognised in the trail without being told: SHA-256, in base64url, of its `jti`, or of the whole
 * token where it has none that can be read. The `jti` is believed to be nothing but a name: no signature is checked.
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
