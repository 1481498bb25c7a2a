import type { OrganizationId } from '@legate/ids';
import { type AccessTokenClaims, epochSeconds, KeysUnavailable, TokenRefused } from '@legate/jwt';
import { OAuthError } from '@legate/oauth';
import { TransactionRefused } from './refusal.ts';
import type { GrantableOperation, RequestingWorkload } from './workload.ts';

/** The user of a transaction, from the subject token. */
export interface TransactionSubject {
  readonly claims: AccessTokenClaims;
  readonly organizationId: OrganizationId;
  /** Whole epoch seconds */
  readonly expiresAt: number;
}

/**
 * Verifies the access token that a workload was called with, and that its user is known to the services by `sub` alone.
 * @param deps.identityProvider the issuer of the users that the services know
 * @throws {OAuthError} `invalid_request` (RFC 8693 §2.2.2), `access_denied`, `temporarily_unavailable`
 */
export function createSubjectCheck(deps: { identityProvider: string; clock: () => Date }) {
  return async (workload: RequestingWorkload, subjectToken: string): Promise<TransactionSubject> => {
    const { claims } = await workload.verifySubjectToken(subjectToken).catch(refuseUnlessOutage);
    // An expired access token that is accepted only because of the skew must not yield a new token.
    const expiresAt = Math.floor(claims.exp);
    if (expiresAt <= epochSeconds(deps.clock()))
      throw new OAuthError('invalid_request', 'subject_token: expired');
    // `sub` is unique only together with these two. A user of another provider could have the `sub` of ours.
    if (claims.idp !== deps.identityProvider || claims.tenant !== undefined)
      throw new OAuthError('access_denied', 'the user belongs to another identity provider');
    if (claims.organization_id === undefined) throw new OAuthError('access_denied', 'no organization_id');
    return { claims, organizationId: claims.organization_id, expiresAt };
  };
}

/**
 * Checks that a valid subject token covers the operation.
 * @throws {TransactionRefused} `invalid_request`, `invalid_scope`
 */
export function requireCoverage({ claims }: TransactionSubject, operation: GrantableOperation): void {
  // Bound to a key: an exchange would need proof of possession (RFC 7800 §3).
  if (claims.cnf !== undefined)
    throw new TransactionRefused('token_bound', 'invalid_request', 'subject_token: cnf');
  // A token without `scope` does not have unlimited permissions.
  if (!(claims.scope ?? '').split(' ').includes(operation.subjectScope))
    throw new TransactionRefused(
      'scope_insufficient',
      'invalid_scope',
      'the subject token does not cover the operation',
    );
}

function refuseUnlessOutage(err: unknown): never {
  if (err instanceof TokenRefused)
    throw new OAuthError('invalid_request', `subject_token: ${err.message}`, { cause: err });
  if (err instanceof KeysUnavailable)
    throw new OAuthError('temporarily_unavailable', err.message, { cause: err });
  throw err;
}
