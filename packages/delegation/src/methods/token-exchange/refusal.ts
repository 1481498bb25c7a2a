import { type ExchangeRefusal, findExchangeRefusal } from '@legate/identity-providers';
import type { Refusal } from '../../domain/delegation.ts';
import type { FoundIdentityProvider } from '../../oauth-peers/identity-provider.ts';
import type { PeerFailure } from '../../oauth-peers/peer-failure.ts';
import { toDelegation } from '../id-jag/token-refusal.ts';

type Refused = Extract<PeerFailure, { kind: 'refused' }>;

/** Converts a refusal of an exchange to an outcome for the user, by the rows of the provider's kind. */
export function exchangeRefusal(
  failure: PeerFailure,
  { rows, explain }: { rows: readonly ExchangeRefusal[]; explain: FoundIdentityProvider['explain'] },
  asked: { readonly audience: string; readonly scopes: readonly string[] },
): Refusal {
  if (failure.kind !== 'refused') return toDelegation('idp', failure, asked.scopes);
  const row = findExchangeRefusal(rows, failure);
  const hint = explain('exchange', failure) ?? row?.hint;
  return { ...outcomeOf(failure, row, asked), ...(hint !== undefined && { hint }) };
}

function outcomeOf(
  failure: Refused,
  row: ExchangeRefusal | undefined,
  asked: { readonly audience: string; readonly scopes: readonly string[] },
): Refusal {
  const reason = reasonOf(failure, row, asked);
  switch (row?.outcome) {
    case 'denied':
      return { outcome: 'denied', by: 'idp', why: row.why, scopes: asked.scopes, reason };
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
  row: ExchangeRefusal | undefined,
  { audience, scopes }: { audience: string; scopes: readonly string[] },
): string {
  const code = suberror === undefined ? error : `${error}, ${suberror}`;
  const numbers = codes.length > 0 ? ` (${codes.join(', ')})` : '';
  const named = {
    target_unknown: `audience ${audience}`,
    // Where scopes begin with the audience, an unknown one is refused as a scope.
    scope_refused: `${scopes.join(' ')} of audience ${audience}`.trimStart(),
    none: '',
  }[row?.why ?? 'none'];
  return `identity provider: ${code}${numbers}${named && `: ${named}`}`;
}
