import { hash } from 'node:crypto';
import { readJwt } from './jws.ts';

/**
 * Identifies a token in the audit trail without revealing it: SHA-256, in base64url, of its `jti`, or of the whole
 * token if it has no readable one. The `jti` is used only as a name: no signature is checked.
 * @param claims those of the token, if the caller has read them
 */
export const tokenId = (token: string, claims = claimsOf(token)): string => {
  const { jti } = claims;
  return hash('sha256', typeof jti === 'string' && jti !== '' ? jti : token, 'base64url');
};

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  if (!token.startsWith('eyJ')) return {}; // opaque
  try {
    return readJwt(token).claims;
  } catch {
    return {};
  }
}
