import { claimOf, type OrganizationRule, unmappedClaim, userIdOf } from '@legate/identity-providers';
import {
  type CachedVerifyToken,
  type IdpAccessTokenClaims,
  readJwt,
  TokenRefused,
  type VerifyToken,
} from '@legate/jwt';
import { readBearer } from '@legate/oauth';
import type { FailureLimiter } from '@legate/rate-limit';
import { isGuess, requireBearer, tokenProblem } from '@legate/workload';
import type { RequestHandler } from 'express';
import type { Caller } from '../../domain/caller.ts';
import { problem } from '../../domain/problem-codes.ts';
import { storable } from '../../domain/storable-text.ts';
import { setCaller } from './caller-of-request.ts';
import { credentialOf } from './credential-of-token.ts';
import { holderOf } from './holder-of-token.ts';

/**
 * Bearer authentication with an access token of the identity provider (product specification, section 5). An ID token
 * or an ID-JAG is refused by its `typ`. Does not check whether the user is still active.
 * @param deps.userClaim the claim that is the id of a user
 * @throws {Problem} 403 `organization_ambiguous`; 401 `token_missing`, `token_invalid` or `token_expired`, each with its challenge
 * @throws {KeysUnavailable} if the issuer's keys are unavailable, so that the token cannot be verified
 */
export function authenticate(deps: {
  verifyToken: VerifyToken<IdpAccessTokenClaims>;
  userClaim: string;
  organizationRule: OrganizationRule;
  failures: FailureLimiter;
}): RequestHandler {
  return async (req, res, next) => {
    try {
      setCaller(res, await identify(req.headers.authorization, deps));
    } catch (err) {
      if (isGuess(err)) await deps.failures.recordFailure(req.ip);
      throw err;
    }
    next();
  };
}

/** Returns true for a request whose bearer token was verified before. Costs one hash. */
export function hasKnownToken(
  authorization: string | undefined,
  verifyToken: CachedVerifyToken<IdpAccessTokenClaims>,
): boolean {
  const credentials = readBearer(authorization);
  return credentials.kind === 'token' && verifyToken.isKnown(credentials.token);
}

async function identify(
  authorization: string | undefined,
  { verifyToken, userClaim, organizationRule }: Omit<Parameters<typeof authenticate>[0], 'failures'>,
): Promise<Caller> {
  const token = requireBearer(authorization);
  try {
    const { claims } = await verifyToken(token);
    const looksLike = holderOf(claims);
    const claim = looksLike === 'machine' && namesNoOther(claims, userClaim) ? 'sub' : userClaim;
    const subject = userIdOf(claims, claim);
    if (storable(subject) !== subject) throw new TokenRefused('claims', { detail: claim });
    return {
      issuer: claims.iss,
      subject,
      organizationId: claims.organization_id,
      // In the verified claims, `organization_id` is the result of the rule.
      unmappedClaim:
        claims.organization_id === undefined
          ? unmappedClaim(organizationRule, readJwt(token).claims)
          : undefined,
      organizationClaim: claims.organization_id === undefined ? claimOf(organizationRule) : undefined,
      email: claims.email,
      name: claims.name,
      roles: claims.roles,
      scope: claims.scope,
      emailVerified: claims.email_verified,
      issuedAt: claims.iat,
      looksLike,
      credential: credentialOf(token, claims),
    };
  } catch (err) {
    if (err instanceof TokenRefused && err.reason === 'organization_ambiguous')
      throw problem('organization_ambiguous', { cause: err });
    throw tokenProblem(err);
  }
}

/** Returns true for a token without a user, as a machine's is, which is registered by its `sub`. */
const namesNoOther = (claims: IdpAccessTokenClaims, userClaim: string): boolean =>
  (claims[userClaim] ?? claims.sub) === claims.sub;
