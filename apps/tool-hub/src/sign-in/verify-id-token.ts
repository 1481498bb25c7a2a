import type { Authentication } from '@legate/delegation';
import {
  claimOf,
  type OrganizationRule,
  unmappedClaim,
  userIdOf,
  withOrganization,
} from '@legate/identity-providers';
import {
  ACCESS_TOKEN_MARKS,
  cacheVerified,
  createTokenVerifier,
  type IdTokenClaims,
  KeysUnavailable,
  type RefusalReason,
  readJwt,
  type TokenProfile,
  TokenRefused,
  type TrustedIssuer,
  tokenId,
  type VerifiedToken,
} from '@legate/jwt';
import type { Caller } from '../domain/caller.ts';
import { outage, problem } from '../domain/problem-codes.ts';
import {
  audienceRefused,
  claimsRefused,
  markRefused,
  organizationMissing,
  organizationUnmapped,
  type TokenRefusalReason,
  tokenRefused,
} from '../refusals/token-refusals.ts';

/** @throws {Problem} 401, 403 or 503 */
export type VerifyIdToken = (token: string) => Promise<VerifiedIdToken>;

export interface VerifiedIdToken {
  readonly caller: Caller;
  readonly claims: IdTokenClaims;
}

/**
 * Verifies an ID token and returns its user. Does not check whether the user is still active: the identity provider
 * does, at every token exchange.
 * @param options.audiences clients whose ID tokens are accepted; every audience of a token must be among them, since a
 * token that a stranger may also use does not identify its sender (OpenID Connect Core §3.1.3.7)
 * @param options.profile what an ID token must and must not contain
 * @param options.userClaim the claim that is the user's id
 */
export function createIdTokenVerifier(options: {
  issuer: TrustedIssuer;
  audiences: readonly string[];
  organizationRule: OrganizationRule;
  userClaim: string;
  profile: TokenProfile<IdTokenClaims>;
  clock: () => Date;
}): VerifyIdToken {
  const { audiences: audience, userClaim, organizationRule, clock } = options;
  const trusted = new Set(audience);
  const profile: TokenProfile<IdTokenClaims> = {
    ...withOrganization(options.profile, organizationRule),
    checkSigned(claims) {
      options.profile.checkSigned?.(claims);
      const stranger = claimOfStranger(claims, trusted);
      if (stranger !== undefined) throw new TokenRefused('audience', { detail: stranger });
    },
  };
  const verify = cacheVerified(createTokenVerifier(profile, { issuers: [options.issuer], audience, clock }), {
    clock,
  });
  /** The result for a verified token is always the same, so it is cached; the token itself is not stored. */
  const judged = new WeakMap<VerifiedToken<IdTokenClaims>, Omit<Caller, 'subjectToken'>>();

  return async (token) => {
    try {
      const verified = await verify(token);
      let known = judged.get(verified);
      if (!known) {
        known = callerOf(verified.claims, { token, userClaim, organizationRule });
        judged.set(verified, known);
      }
      return { caller: { ...known, subjectToken: token }, claims: verified.claims };
    } catch (err) {
      throw toProblem(err, token);
    }
  };
}

/** Returns the claim that names a client that we do not trust; undefined if the token is meant for us alone. */
function claimOfStranger(
  { aud, azp }: Readonly<Record<string, unknown>>,
  trusted: ReadonlySet<unknown>,
): 'aud' | 'azp' | undefined {
  if (![aud].flat().every((audience) => trusted.has(audience))) return 'aud';
  return azp === undefined || azp === null || trusted.has(azp) ? undefined : 'azp';
}

function callerOf(
  claims: IdTokenClaims,
  {
    token,
    userClaim,
    organizationRule,
  }: { token: string; userClaim: string; organizationRule: OrganizationRule },
): Omit<Caller, 'subjectToken'> {
  if (claims.organization_id === undefined) {
    // In the verified claims, `organization_id` is the result of the rule.
    const claim = claimOf(organizationRule);
    if (claim === undefined) throw tokenRefused('no_organization');
    const isThere = unmappedClaim(organizationRule, readJwt(token).claims) !== undefined;
    throw isThere ? organizationUnmapped(claim) : organizationMissing(claim);
  }
  const userId = userIdOf(claims, userClaim);
  // The colon separates the parts of a cache key (product spec §5): with one in an id, two users could share a key.
  if (userId.includes(':')) {
    throw problem('user_id_unsupported', {
      detail: `A user identifier (${userClaim}) must not contain a colon.`,
    });
  }
  return {
    userId,
    subject: userId === claims.sub ? undefined : claims.sub,
    organizationId: claims.organization_id,
    subjectTokenId: tokenId(token, claims),
    audiences: [claims.aud].flat(),
    signIn: {
      issuedAt: claims.iat,
      expiresAt: claims.exp,
      sid: typeof claims.sid === 'string' ? claims.sid : undefined,
    },
    authentication: authenticationOf(claims),
  };
}

const authenticationOf = ({ aud, azp, acr, amr, auth_time }: IdTokenClaims): Authentication => ({
  client: azp ?? [aud].flat().sort().join(' '),
  acr,
  amr,
  authTime: auth_time,
});

const REASONS: Readonly<Record<Exclude<RefusalReason, 'organization_ambiguous'>, TokenRefusalReason>> = {
  too_large: 'malformed',
  malformed: 'malformed',
  critical_header: 'malformed',
  claims: 'malformed',
  typ: 'wrong_type',
  algorithm: 'untrusted_signature',
  issuer: 'untrusted_signature',
  key: 'untrusted_signature',
  signature: 'untrusted_signature',
  audience: 'wrong_audience',
  expired: 'expired',
  not_yet_valid: 'not_yet_valid',
  lifetime: 'too_long_lived',
};

const isAccessTokenMark = (name: string | undefined): name is string =>
  ACCESS_TOKEN_MARKS.some((mark) => mark === name);

/** Treats a token that does not even begin like a JWT as opaque. */
const isOpaque = (token: string): boolean => !token.startsWith('eyJ');

function toProblem(err: unknown, token: string): unknown {
  if (err instanceof KeysUnavailable) {
    return outage(
      'idp_unavailable',
      'The signing keys of the identity provider are currently unavailable.',
      err,
    );
  }
  if (!(err instanceof TokenRefused)) return err;
  if (err.reason === 'organization_ambiguous') return problem('organization_ambiguous', { cause: err });
  if (err.reason === 'claims' && err.detail) return claimsRefused(err.detail.split(' '), err);
  if (err.reason === 'audience') return audienceRefused(err.detail === 'azp' ? 'azp' : 'aud', err);
  if (err.reason === 'typ' && isAccessTokenMark(err.detail)) return markRefused(err.detail, err);
  const reason = REASONS[err.reason];
  return tokenRefused(reason === 'malformed' && isOpaque(token) ? 'unknown' : reason, err);
}
