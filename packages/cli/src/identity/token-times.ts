import { explainToken } from '@legate/jwt/claims';

/** Returns when a JWT expires, by its own word; undefined for tokens that do not say. */
export function expiresAt(token: string): Date | undefined {
  try {
    return explainToken(token).claims.find(({ name }) => name === 'exp')?.time;
  } catch {
    return undefined; // an API key, a handle
  }
}
