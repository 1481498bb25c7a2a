import { TOKEN_TYPE } from '@legate/oauth';
import type { Delegation, Peer } from '../../domain/delegation.ts';
import type { PeerFailure } from '../../oauth-peers/peer-failure.ts';
import type { TokenClient } from '../../oauth-peers/token-client.ts';

/** Converts a refusal at one of the two token endpoints to an outcome for the user. */
export function toDelegation(
  by: Peer,
  failure: PeerFailure,
  scopes: readonly string[],
): Exclude<Delegation, { outcome: 'granted' }> {
  if (failure.kind === 'unavailable') {
    return {
      outcome: 'unavailable',
      by,
      reason: `${NAMES[by]}: ${failure.reason}`,
      retryable: failure.retryable,
      status: failure.status,
      retryAfterSeconds: failure.retryAfterSeconds,
    };
  }
  if (failure.kind === 'unusable')
    return { outcome: 'misconfigured', by, reason: `${NAMES[by]}: ${failure.reason}` };
  const reason = `${NAMES[by]}: ${failure.error}`;
  switch (failure.error) {
    case 'insufficient_user_authentication':
      return { outcome: 'expired', reason, maxAge: failure.maxAge, acrValues: failure.acrValues };
    case 'invalid_grant':
    case 'invalid_request':
      // At the identity provider the subject token is invalid (draft §4.3.4.3, invalid_request in RFC 8693 §2.2.2). At
      // the tool server the assertion is refused, which we checked: the trust between the two is misconfigured.
      return by === 'idp' ? { outcome: 'expired', reason } : { outcome: 'misconfigured', by, reason };
    case 'access_denied':
      return { outcome: 'denied', by, scopes, reason };
    case 'invalid_target': // RFC 8707 §2
      return { outcome: 'denied', by, why: 'target_unknown', scopes, reason };
    case 'invalid_scope':
      return { outcome: 'denied', by, why: 'scope_refused', scopes, reason: withScopes(reason, scopes) };
    case 'temporarily_unavailable':
    case 'server_error':
    case 'slow_down':
      return { outcome: 'unavailable', by, reason, retryable: failure.error === 'server_error' };
    case 'unsupported_grant_type':
      return { outcome: 'unsupported', by, reason };
    default:
      return { outcome: 'misconfigured', by, reason };
  }
}

/**
 * Converts a refusal of a token exchange to an outcome for the user. A provider without ID-JAGs, whose grant types do
 * not show this, refuses the request as invalid; that must not look as if another sign-in would help.
 */
export function idpRefusal(
  client: TokenClient,
  failure: PeerFailure,
  scopes: readonly string[],
): Exclude<Delegation, { outcome: 'granted' }> {
  if (failure.kind === 'refused' && failure.error === 'invalid_request' && !offersIdJags(client))
    return {
      outcome: 'unsupported',
      by: 'idp',
      reason: 'identity provider: invalid_request, and its metadata lists no ID-JAGs',
    };
  return toDelegation('idp', failure, scopes);
}

/** draft-ietf-oauth-identity-assertion-authz-grant §7 */
function offersIdJags(client: TokenClient): boolean {
  const { identity_chaining_requested_token_types_supported: types } = client.serverMetadata();
  return Array.isArray(types) && types.includes(TOKEN_TYPE.idJag);
}

const withScopes = (reason: string, scopes: readonly string[]): string =>
  scopes.length > 0 ? `${reason} (${scopes.join(' ')})` : reason;

const NAMES: Readonly<Record<Peer, string>> = { idp: 'identity provider', tool_server: 'tool server' };
