import type { Problem } from '@legate/service';
import { type Decision, doctorPath } from '../domain/decision.ts';
import { decidedBy } from './call-refused.ts';

/**
 * What a program can do about a denial, as in the draft of MCP's structured denials (SEP-2643). `available`: the user
 * can resolve it · `out_of_band`: somebody else can · `none`: nothing helps
 */
export interface AuthorizationDenial {
  readonly reason: 'insufficient_authorization';
  readonly remediation: 'available' | 'out_of_band' | 'none';
  /** The id of the call, if it has one */
  readonly authorizationContextId?: string;
  readonly remediationHints?: readonly Hint[];
}

/** Our own types begin with `legate/`; clients ignore unknown types. */
type Hint =
  /** URL at which the user connects an account */
  | { readonly type: 'url'; readonly url: string }
  /** The user must sign in again, at least as strongly as required here (RFC 9470 §4), or with these `claims`. */
  | {
      readonly type: 'legate/sign_in';
      readonly max_age?: unknown;
      readonly acr_values?: unknown;
      readonly claims?: unknown;
    }
  | {
      readonly type: 'legate/administrator';
      /** Where the administrator must change something */
      readonly where: 'identity_provider' | 'tool_server' | 'organization';
      readonly connector_id?: unknown;
      /** The connector's short name, which is the prefix of its tools' names */
      readonly slug?: unknown;
      /** Missing scopes */
      readonly scopes?: readonly string[];
      readonly agent_id?: string;
    }
  /** The doctor examines what is wrong with a connector. */
  | { readonly type: 'legate/doctor'; readonly href: string };

/** The request that was denied. */
export interface DeniedRequest {
  readonly publicUrl: string;
  readonly callId: string | undefined;
  /** A name that the caller chose, unverified */
  readonly agentId: string | undefined;
}

type Remedy = readonly [AuthorizationDenial['remediation'], Hint?];

/** Returns undefined for a problem that is not a denial: an outage, a limit, a fault. */
export function authorizationDenial(
  problem: Problem,
  request: DeniedRequest,
): AuthorizationDenial | undefined {
  const remedy = remedyOf(problem, request);
  if (!remedy) return undefined;
  const [remediation, hint] = remedy;
  const { callId } = request;
  return {
    reason: 'insufficient_authorization',
    remediation,
    ...(callId !== undefined && { authorizationContextId: callId }),
    ...(hint && { remediationHints: [hint] }),
  };
}

function remedyOf(problem: Problem, { publicUrl, agentId }: DeniedRequest): Remedy | undefined {
  const { connector_id, connect_page, max_age, acr_values, claims } = problem.extensions;
  switch (problem.code) {
    case 'connection_required':
      return connect_page === undefined
        ? ['available']
        : ['available', { type: 'url', url: `${publicUrl}${connect_page}` }];
    case 'sign_in_required':
      return ['available', { type: 'legate/sign_in', max_age, acr_values, claims }];
    case 'session_ended':
    case 'signed_out':
    case 'token_missing':
    case 'token_invalid':
    case 'token_expired':
    case 'organization_id_required':
      return ['available', { type: 'legate/sign_in' }];
    case 'delegation_denied':
    case 'fallback_not_approved':
      return ['out_of_band', administratorFor(problem, agentId)];
    case 'connector_not_found':
    case 'tool_not_found':
      // A missing connector or tool is not a denial.
      return decidedBy(problem).leg === 'binding'
        ? ['out_of_band', administratorFor(problem, agentId)]
        : undefined;
    case 'agent_required':
    case 'agent_unauthenticated':
    case 'agent_unknown':
    case 'agent_inactive':
      return ['out_of_band', administratorFor(problem, agentId)];
    case 'connector_misconfigured':
      return [
        'out_of_band',
        { type: 'legate/doctor', href: `${publicUrl}${doctorPath(String(connector_id))}` },
      ];
    case 'consent_denied': // the user denies the client at the management API
    case 'organization_ambiguous':
    case 'user_id_unsupported':
      return ['out_of_band'];
    case 'tool_forbidden':
    case 'organization_suspended':
    case 'membership_revoked':
    case 'access_revoked':
      return ['none'];
    default:
      return undefined;
  }
}

function administratorFor(problem: Problem, agentId: string | undefined): Hint {
  const { connector_id, slug, required_scope } = problem.extensions;
  const where = administratedAt(decidedBy(problem));
  return {
    type: 'legate/administrator',
    where,
    ...(connector_id !== undefined && { connector_id }),
    ...(slug !== undefined && { slug }),
    ...(typeof required_scope === 'string' && { scopes: required_scope.split(' ') }),
    ...(where === 'organization' && agentId !== undefined && { agent_id: agentId }),
  };
}

function administratedAt({ leg, rule }: Decision): 'identity_provider' | 'tool_server' | 'organization' {
  switch (rule) {
    case 'scope_insufficient': // the policy of the identity provider decides about scopes
      return 'identity_provider';
    case 'audience_mismatch': // the connector needs another method
    case 'fallback_not_approved':
      return 'organization';
  }
  switch (leg) {
    case 'idp':
      return 'identity_provider';
    case 'authorization_server':
    case 'tool_server':
      return 'tool_server';
    default:
      return 'organization';
  }
}
