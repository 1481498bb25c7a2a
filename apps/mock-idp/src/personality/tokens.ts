import { createHash } from 'node:crypto';
import type { AccessToken, Personality, StandardAccessToken } from '@legate/personalities';

/** The rules of a personality for tokens */
export type TokenRules = Pick<Personality, 'idToken' | 'accessToken' | 'isPairwise'>;

/**
 * Returns the `sub` of a user for a client. Pairwise: stable, and unrelated to the `sub` for another client (OpenID
 * Connect Core §8.1).
 */
export function subjectOf(rules: TokenRules, user: { userId: string; clientId: string }): string {
  if (!rules.isPairwise) return user.userId;
  return createHash('sha256')
    .update(JSON.stringify([user.clientId, user.userId]))
    .digest('base64url');
}

/**
 * Converts an access token to the provider's form. Tokens of our own services (scopes `internal:…`) keep the form of
 * RFC 9068, because the services accept no other.
 */
export function shapeAccessToken(rules: TokenRules, token: StandardAccessToken): AccessToken {
  const isInternal = token.userId === undefined && /(^| )internal:/.test(token.claims.scope);
  if (isInternal || !rules.accessToken) return { typ: 'at+jwt', claims: token.claims };
  return rules.accessToken(token);
}
