import { createHash } from 'node:crypto';
import {
  type Members,
  type Personality,
  present,
  type SignedIn,
  type StandardAccessToken,
} from './personality.ts';

/** The rules of a personality for tokens */
export type TokenRules = Pick<
  Personality,
  'kind' | 'idToken' | 'idTokensNameOrganization' | 'tenantOf' | 'accessToken'
>;

export interface AccessToken {
  /** Header parameter; undefined: the header has none */
  readonly typ: string | undefined;
  readonly claims: Members;
}

/** True if a user's `sub` differs by client (OpenID Connect Core §8.1), so that another claim names the user */
export const isPairwise = ({ kind }: Pick<Personality, 'kind'>): boolean => kind.userClaim !== 'sub';

/**
 * Returns the `sub` of a user for a client. Pairwise: stable, and unrelated to the `sub` for another client (OpenID
 * Connect Core §8.1).
 */
export function subjectOf(rules: TokenRules, user: { userId: string; clientId: string }): string {
  if (!isPairwise(rules)) return user.userId;
  return createHash('sha256')
    .update(JSON.stringify([user.clientId, user.userId]))
    .digest('base64url');
}

/** Returns the claims of an ID token that a personality decides about. */
export function idTokenClaims(rules: TokenRules, user: SignedIn): Members {
  const { userClaim, organizationClaim } = rules.kind;
  return present({
    ...rules.idToken(user),
    ...(userClaim !== 'sub' && { [userClaim]: user.userId }),
    ...(rules.idTokensNameOrganization &&
      organizationClaim !== undefined && {
        [organizationClaim]: rules.tenantOf ? rules.tenantOf(user.issuer) : user.organizationId,
      }),
  });
}

/** A user with a value for every claim that a token can contain. */
const EXAMPLE: SignedIn = {
  issuer: 'https://idp.example/tenant',
  userId: 'user',
  email: 'user@example.com',
  emailVerified: true,
  name: 'User',
  organizationId: 'org',
  role: 'owner',
  clientId: 'client',
  tokenId: 'token',
};

/** Returns the names of all claims that ID tokens may have. */
export const claimNames = (rules: TokenRules): string[] => Object.keys(idTokenClaims(rules, EXAMPLE));

/**
 * Converts an access token to the provider's form. Tokens of our own services (scopes `internal:…`) keep the form of
 * RFC 9068, because the services accept no other.
 */
export function shapeAccessToken(rules: TokenRules, token: StandardAccessToken): AccessToken {
  const isInternal = token.userId === undefined && /(^| )internal:/.test(token.claims.scope);
  if (isInternal || !rules.accessToken) return { typ: 'at+jwt', claims: token.claims };
  const { accessTokenTypes, accessTokenUserClaim: userClaim, organizationClaim } = rules.kind;
  const { organization_id: organization, ...claims } = token.claims;
  const [typ] = accessTokenTypes;
  return {
    typ: typ === 'absent' ? undefined : typ,
    claims: present({
      ...rules.accessToken({ claims, userId: token.userId }),
      ...(userClaim !== 'sub' && token.userId !== undefined && { [userClaim]: token.userId }),
      ...(organizationClaim !== undefined && {
        [organizationClaim]: rules.tenantOf ? rules.tenantOf(claims.iss) : organization,
      }),
    }),
  };
}
