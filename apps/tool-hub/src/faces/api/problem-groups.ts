import type { HubProblemCode } from '../../domain/problem-codes.ts';

/** Problems of every request about a connector */
export const CONNECTOR_PROBLEMS = [
  ...['agent_unknown', 'agent_inactive', 'agent_required', 'agent_unauthenticated', 'agent_mismatch'],
  ...['connector_not_found', 'connector_misconfigured', 'connectors_unavailable'],
] as const satisfies readonly HubProblemCode[];

/** Problems of every request that is sent to the tool server */
export const TOOL_SERVER_PROBLEMS = [
  ...CONNECTOR_PROBLEMS,
  ...['sign_in_required', 'connection_required', 'delegation_denied', 'fallback_not_approved'],
  ...['tool_forbidden', 'access_revoked', 'tool_server_error', 'tool_server_unavailable'],
  ...['token_store_unavailable', 'hub_busy'],
] as const satisfies readonly HubProblemCode[];
