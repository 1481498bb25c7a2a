import type { DelegationFacts, Refusal } from '@legate/delegation';
import type { Decided, Decision } from '../domain/decision.ts';

/** Maps a refused delegation to its leg and rule. The type requires a row for each kind of refusal. */
export function refusalDecided(refusal: Refusal, facts: DelegationFacts | undefined): Decided {
  return { ...decisionOf(refusal, facts), reason: refusal.reason, hint: refusal.hint };
}

function decisionOf(refusal: Refusal, facts: DelegationFacts | undefined): Decision {
  switch (refusal.outcome) {
    case 'expired':
      if (refusal.needsSession) return { leg: 'idp', rule: 'session_required' };
      if (refusal.connect) return { leg: 'authorization_server', rule: 'connection_required' };
      return [refusal.maxAge, refusal.acrValues, refusal.claims].every((demand) => demand === undefined)
        ? { leg: 'idp', rule: 'sign_in_required' }
        : { leg: 'idp', rule: 'stronger_sign_in_required' };
    case 'denied':
      switch (refusal.by) {
        case 'idp':
          return { leg: 'idp', rule: refusal.why ?? 'policy_denied' };
        case 'tool_server':
          return { leg: 'authorization_server', rule: refusal.why ?? 'policy_denied' };
        case 'binding':
          return { leg: 'binding', rule: 'scope_not_bound' };
        case 'audience':
          return { leg: 'idp', rule: 'audience_mismatch' };
        case 'fallback':
          return { leg: 'tool_server', rule: 'fallback_not_approved' };
        case 'connector':
          return { leg: 'registry', rule: 'scope_not_listed' };
      }
      break;
    case 'unsupported':
      if (refusal.by === 'idp') return { leg: 'idp', rule: 'exchange_unsupported' };
      return isRedemption(facts)
        ? { leg: 'authorization_server', rule: 'grant_unsupported' }
        : { leg: 'tool_server', rule: 'discovery_unsupported' };
    case 'unavailable':
      if (refusal.by === 'store')
        return {
          leg: 'hub',
          rule: refusal.unread === 'use_record' ? 'record_unavailable' : 'internal_error',
        };
      if (refusal.by === 'idp') return { leg: 'idp', rule: 'unavailable' };
      return isRedemption(facts)
        ? { leg: 'authorization_server', rule: 'unavailable' }
        : { leg: 'tool_server', rule: 'unavailable' };
    case 'misconfigured':
      if (refusal.why === 'token_audience') return { leg: 'idp', rule: 'token_audience_mismatch' };
      if (refusal.why === 'subject_token_type') return { leg: 'hub', rule: 'subject_token_type' };
      if (refusal.by === 'idp') return { leg: 'idp', rule: 'misconfigured' };
      return isRedemption(facts)
        ? { leg: 'authorization_server', rule: 'misconfigured' }
        : { leg: 'tool_server', rule: 'discovery_unusable' };
  }
}

/** Returns true if the hub had an ID-JAG, and had therefore reached the token endpoint. */
const isRedemption = (facts: DelegationFacts | undefined): boolean => facts?.idJagId !== undefined;
