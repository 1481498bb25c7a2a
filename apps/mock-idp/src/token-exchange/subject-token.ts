import { OrganizationId } from '@legate/ids';
import {
  createTokenVerifier,
  type IdTokenClaims,
  idToken,
  type KeyLookup,
  type SigningKeys,
  TokenRefused,
  type VerifyToken,
} from '@legate/jwt';
import { OAuthError } from '@legate/oauth';
import { createLocalJWKSet, decodeJwt } from 'jose';

/** Looks up our own keys: a replaced key verifies as long as it is published. */
export function ownKeys(keys: SigningKeys): KeyLookup {
  return (header) => createLocalJWKSet(keys.publicJwks())(header);
}

/**
 * Verifies a `subject_token`: an unexpired ID token that we issued for one of the audiences. An access token or an
 * ID-JAG is refused because of its `typ`. If `aud` has several values, `azp` must be one of the audiences too.
 * @throws {OAuthError} `invalid_grant`
 * @see draft-ietf-oauth-identity-assertion-authz-grant §4.3.3, OpenID Connect Core §3.1.3.7
 */
export function createSubjectTokenCheck(deps: {
  issuer: string;
  keys: SigningKeys;
  /** Claim that contains the organization, returned as `organization_id`; undefined: tokens do not name it */
  organizationClaim: string | undefined;
  clock: () => Date;
}) {
  const { organizationClaim } = deps;
  const issuers = [{ issuer: deps.issuer, keys: ownKeys(deps.keys) }];
  return async (subjectToken: string, audiences: readonly string[]): Promise<IdTokenClaims> => {
    const verify: VerifyToken<IdTokenClaims> = createTokenVerifier(idToken, {
      issuers,
      audience: audiences,
      clock: deps.clock,
    });
    const { claims } = await verify(subjectToken).catch((err: unknown) => {
      if (!(err instanceof TokenRefused)) throw err;
      throw new OAuthError('invalid_grant', `subject_token: ${err.reason}`, { cause: err });
    });
    if (claims.azp !== undefined && !audiences.includes(claims.azp))
      throw new OAuthError('invalid_grant', 'subject_token: azp');
    if (organizationClaim === undefined) return { ...claims, organization_id: undefined };
    const organization = OrganizationId.optional().safeParse(claims[organizationClaim]);
    if (!organization.success) throw new OAuthError('invalid_grant', `subject_token: ${organizationClaim}`);
    return { ...claims, organization_id: organization.data };
  };
}

/**
 * Returns the client in the token's audience, unverified; used only to find out whether that client must authenticate.
 */
export function claimedAudience(subjectToken: string): string | undefined {
  try {
    const { aud } = decodeJwt(subjectToken);
    return typeof aud === 'string' ? aud : undefined;
  } catch {
    return undefined; // the caller refuses it, like any token without a single audience
  }
}
