import { type ExchangeRefusal, findExchangeRefusal } from '@legate/identity-providers';
import type { Refusal } from '../../domain/delegation.ts';
import type { PeerFailure } from '../../oauth-peers/peer-failure.ts';
import { toDelegation } from '../id-jag/token-refusal.ts';

type Refused = Extract<PeerFailure, { kind: 'refused' }>;

/** Converts a refusal of an exchange to an outcome for the user, by the rows of the provider's kind. */
export function exchangeRefusal(
  failure: PeerFailure,
  rows: readonly ExchangeRefusal[],
  asked: { readonly audience: string; readonly scopes: readonly string[] },
): Refusal {
  if (failure.kind !== 'refused') return toDelegation('idp', failure, asked.scopes);
  const row = findExchangeRefusal(rows, failure);
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
  const detail = [row?.hint, named].filter(Boolean).join(', ');
  return `identity provider: ${code}${numbers}${detail && `: ${detail}`}`;
}
