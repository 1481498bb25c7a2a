import type { Authentication } from '@legate/delegation';
import {
  cacheVerified,
  createTokenVerifier,
  type IdTokenClaims,
  KeysUnavailable,
  organizationFrom,
  type TokenProfile,
  TokenRefused,
  type TrustedIssuer,
  tokenId,
  type VerifiedToken,
} from '@legate/jwt';
import type { Caller } from '../domain/caller.ts';
import { outage, problem } from '../refusals/problem-codes.ts';
import { unauthorized } from '../refusals/sign-in-problems.ts';

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
 * @param options.organizationClaim the claim that names the organization; it becomes `organization_id`
 */
export function createIdTokenVerifier(options: {
  issuer: TrustedIssuer;
  audiences: readonly string[];
  organizationClaim: string;
  profile: TokenProfile<IdTokenClaims>;
  clock: () => Date;
}): VerifyIdToken {
  const { audiences: audience, clock } = options;
  const verify = cacheVerified(
    organizationFrom(
      options.organizationClaim,
      createTokenVerifier(options.profile, { issuers: [options.issuer], audience, clock }),
    ),
    { clock },
  );
  const trusted = new Set(options.audiences);
  /** The result for a verified token is always the same, so it is cached; the token itself is not stored. */
  const judged = new WeakMap<VerifiedToken<IdTokenClaims>, Omit<Caller, 'subjectToken'>>();

  function judge({ claims }: VerifiedToken<IdTokenClaims>, token: string): Omit<Caller, 'subjectToken'> {
    // A logout token may have the `typ` of an ID token, and is none (OpenID Connect Back-Channel Logout §2.4).
    if ('events' in claims)
      throw unauthorized('token_invalid', 'The bearer token is not an ID token that is valid here.');
    if (!isMeantForUs(claims, trusted))
      throw unauthorized('token_invalid', 'The ID token was issued to another client.');
    return callerOf(claims, token);
  }

  return async (token) => {
    let verified: VerifiedToken<IdTokenClaims>;
    try {
      verified = await verify(token);
    } catch (err) {
      throw toProblem(err);
    }
    let known = judged.get(verified);
    if (!known) {
      known = judge(verified, token);
      judged.set(verified, known);
    }
    const { userId, organizationId, subjectTokenId, audiences, signIn, authentication } = known;
    const caller = {
      userId,
      organizationId,
      subjectToken: token,
      subjectTokenId,
      audiences,
      signIn,
      authentication,
    };
    return { caller, claims: verified.claims };
  };
}

function isMeantForUs(claims: IdTokenClaims, trusted: ReadonlySet<string>): boolean {
  return (
    [claims.aud].flat().every((audience) => trusted.has(audience)) &&
    (claims.azp === undefined || trusted.has(claims.azp))
  );
}

function callerOf(claims: IdTokenClaims, token: string): Omit<Caller, 'subjectToken'> {
  if (claims.organization_id === undefined) {
    throw problem('organization_id_required', {
      detail: 'The ID token names no organization. Sign in for an organization.',
    });
  }
  // The colon separates the parts of a cache key (product spec §5): with one in an id, two users could share a key.
  if (claims.sub.includes(':')) {
    throw problem('user_id_unsupported', {
      detail: 'A user identifier (sub) must not contain a colon.',
    });
  }
  return {
    userId: claims.sub,
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

function toProblem(err: unknown): unknown {
  if (err instanceof KeysUnavailable) {
    return outage(
      'idp_unavailable',
      'The signing keys of the identity provider are currently unavailable.',
      err,
    );
  }
  if (!(err instanceof TokenRefused)) return err;
  return err.reason === 'expired'
    ? unauthorized('token_expired', 'The ID token has expired. Sign in again.', err)
    : unauthorized('token_invalid', 'The bearer token is not an ID token that is valid here.', err);
}
