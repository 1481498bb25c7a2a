import type { IdJagClaims } from '@legate/jwt';
import { isSameResource, OAuthError, parseScope } from '@legate/oauth';

/**
 * Checks that assertion and request name only our resource. An assertion without the claim is for our resource, because
 * we have only one.
 * @param requested the form's `resource` parameters
 * @throws {OAuthError} `invalid_grant` for the assertion, `invalid_target` for the request
 * @see RFC 8707 §2.2, draft-ietf-oauth-identity-assertion-authz-grant §4.4
 */
export function checkResource(
  ours: string,
  claim: IdJagClaims['resource'],
  requested: readonly string[],
): void {
  const asserted = typeof claim === 'string' ? [claim] : (claim ?? []);
  if (!asserted.every((resource) => isSameResource({ presented: resource, configured: ours })))
    throw new OAuthError('invalid_grant', 'assertion: resource');
  if (!requested.every((resource) => isSameResource({ presented: resource, configured: ours })))
    throw new OAuthError('invalid_target', 'resource is not ours');
}

/**
 * Returns the scopes of the access token: those of the assertion, or the requested subset.
 * @throws {OAuthError} `invalid_grant` if the assertion has a scope that is not registered here, `invalid_scope` if
 * nothing of the request remains
 */
export function grantScopes(
  registered: ReadonlySet<string>,
  claim: string | undefined,
  requested: string | undefined,
): string[] {
  const asserted = (claim ?? '').split(' ').filter((scope) => scope !== '');
  if (!asserted.every((scope) => registered.has(scope)))
    throw new OAuthError('invalid_grant', 'assertion: scope');
  const wanted = requested === undefined ? undefined : parseScope(requested);
  const granted = wanted ? asserted.filter((scope) => wanted.includes(scope)) : asserted;
  if (wanted && granted.length === 0) throw new OAuthError('invalid_scope', 'nothing of it was granted');
  return [...new Set(granted)];
}
