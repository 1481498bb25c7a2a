import { explainToken } from '@legate/jwt/claims';

/** Returns the expiry of a JWT from its unverified `exp`; undefined if it has none. */
export function expiresAt(token: string): Date | undefined {
  try {
    return explainToken(token).claims.find(({ name }) => name === 'exp')?.time;
  } catch {
    return undefined; // an API key, a handle
  }
}
