import { TOKEN_TYPE } from '@legate/oauth';
import type { Delegation, Peer } from '../../domain/delegation.ts';
import type { FoundIdentityProvider } from '../../oauth-peers/identity-provider.ts';
import type { PeerFailure } from '../../oauth-peers/peer-failure.ts';

/**
 * Refusals of an ID-JAG that the hub has checked, or of a parameter of the request: something is configured wrongly at
 * the authorization server, or there is no agreement between it and the identity provider. Another attempt is no help.
 */
const REDEMPTION_HINTS: Readonly<Record<string, string>> = {
  invalid_grant:
    'compare which identity providers it trusts and for which audience, whether the account of the user is linked there, and its clock',
  invalid_request: 'it may not accept the parameter "resource" or "scope" with an ID-JAG',
  invalid_target: 'it does not accept the resource of the connector',
};

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
  const hint = by === 'tool_server' ? REDEMPTION_HINTS[failure.error] : undefined;
  if (hint !== undefined) return { outcome: 'misconfigured', by, reason: `${reason} (${hint})` };
  switch (failure.error) {
    case 'insufficient_user_authentication':
      return { outcome: 'expired', reason, maxAge: failure.maxAge, acrValues: failure.acrValues };
    case 'invalid_grant':
    case 'invalid_request':
      // The subject token is invalid (draft §4.3.4.3, invalid_request in RFC 8693 §2.2.2).
      return { outcome: 'expired', reason };
    case 'access_denied':
      // RFC 6749 §5.2: 401 is about the client, not about the user.
      if (by === 'idp' && failure.details?.status === 401) return { outcome: 'misconfigured', by, reason };
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
  { metadata, explain }: Pick<FoundIdentityProvider, 'metadata' | 'explain'>,
  failure: PeerFailure,
  scopes: readonly string[],
): Exclude<Delegation, { outcome: 'granted' }> {
  const hint = failure.kind === 'refused' ? explain('exchange', failure) : undefined;
  return { ...outcomeOf(metadata, failure, scopes), ...(hint !== undefined && { hint }) };
}

function outcomeOf(
  metadata: FoundIdentityProvider['metadata'],
  failure: PeerFailure,
  scopes: readonly string[],
): Exclude<Delegation, { outcome: 'granted' }> {
  if (failure.kind === 'refused' && failure.error === 'invalid_request' && !offersIdJags(metadata))
    return {
      outcome: 'unsupported',
      by: 'idp',
      reason: 'identity provider: invalid_request, and its metadata lists no ID-JAGs',
    };
  return toDelegation('idp', failure, scopes);
}

/** draft-ietf-oauth-identity-assertion-authz-grant §7 */
function offersIdJags({
  identity_chaining_requested_token_types_supported: types,
}: FoundIdentityProvider['metadata']): boolean {
  return Array.isArray(types) && types.includes(TOKEN_TYPE.idJag);
}

const withScopes = (reason: string, scopes: readonly string[]): string =>
  scopes.length > 0 ? `${reason} (${scopes.join(' ')})` : reason;

const NAMES: Readonly<Record<Peer, string>> = { idp: 'identity provider', tool_server: 'tool server' };
