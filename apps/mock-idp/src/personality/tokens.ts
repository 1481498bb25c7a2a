import { createHash } from 'node:crypto';
import type { AccessToken, Personality, StandardAccessToken } from '@legate/personalities';

/** What a personality decides about tokens */
export type TokenRules = Pick<Personality, 'idToken' | 'accessToken' | 'isPairwise'>;

/** `sub` of a user for a client. Pairwise: stable, and without relation to that for another (OpenID Connect Core §8.1). */
export function subjectOf(rules: TokenRules, user: { userId: string; clientId: string }): string {
  if (!rules.isPairwise) return user.userId;
  return createHash('sha256')
    .update(JSON.stringify([user.clientId, user.userId]))
    .digest('base64url');
}

/**
 * Gives an access token its form. The credentials of our own services (scopes `internal:…`) keep that of RFC 9068: the
 * services accept no other, so that none of them would work.
 */
export function shapeAccessToken(rules: TokenRules, token: StandardAccessToken): AccessToken {
  const isInternal = token.userId === undefined && /(^| )internal:/.test(token.claims.scope);
  if (isInternal || !rules.accessToken) return { typ: 'at+jwt', claims: token.claims };
  return rules.accessToken(token);
}
