import type { ProviderRefusal, RefusalMeaning } from '@legate/identity-providers';
import type { Refusal } from '../../domain/delegation.ts';
import type { PeerFailure } from '../../oauth-peers/peer-failure.ts';
import { toDelegation } from '../id-jag/token-refusal.ts';

type Refused = Extract<PeerFailure, { kind: 'refused' }>;

/** Converts a refusal of an exchange to an outcome for the user, by what the provider's kind means by it. */
export function exchangeRefusal(
  failure: PeerFailure,
  readRefusal: (refusal: ProviderRefusal) => RefusalMeaning,
  asked: { readonly audience: string; readonly scopes: readonly string[] },
): Refusal {
  if (failure.kind !== 'refused') return toDelegation('idp', failure, asked.scopes);
  const meaning = readRefusal(failure);
  const { hint } = meaning;
  return { ...outcomeOf(failure, meaning, asked), ...(hint !== undefined && { hint }) };
}

function outcomeOf(
  failure: Refused,
  { outcome, why }: RefusalMeaning,
  asked: { readonly audience: string; readonly scopes: readonly string[] },
): Refusal {
  const reason = reasonOf(failure, why, asked);
  switch (outcome) {
    case 'denied':
      return { outcome: 'denied', by: 'idp', why, scopes: asked.scopes, reason };
    case 'expired': {
      const { maxAge, acrValues, claims } = failure;
      return { outcome: 'expired', reason, maxAge, acrValues, ...(claims !== undefined && { claims }) };
    }
    case 'unsupported':
      return { outcome: 'unsupported', by: 'idp', reason };
    case 'unavailable':
      return { outcome: 'unavailable', by: 'idp', reason, retryable: failure.error === 'server_error' };
    case 'misconfigured':
    case undefined:
      return { outcome: 'misconfigured', by: 'idp', reason };
  }
}

function reasonOf(
  { error, details: { suberror, codes = [] } = {} }: Refused,
  why: RefusalMeaning['why'],
  { audience, scopes }: { audience: string; scopes: readonly string[] },
): string {
  const code = suberror === undefined ? error : `${error}, ${suberror}`;
  const numbers = codes.length > 0 ? ` (${codes.join(', ')})` : '';
  const named = {
    target_unknown: `audience ${audience}`,
    // Where scopes begin with the audience, an unknown one is refused as a scope.
    scope_refused: `${scopes.join(' ')} of audience ${audience}`.trimStart(),
    none: '',
  }[why ?? 'none'];
  return `identity provider: ${code}${numbers}${named && `: ${named}`}`;
}
