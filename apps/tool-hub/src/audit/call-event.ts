import { OrganizationId } from '@legate/ids';
import { type AuditAction, EventTargetType, toEventText } from '@legate/management-contract';
import { z } from 'zod';
import { type Outcome, rowOf } from '../domain/decision.ts';
import { type CallSummary, howEnded } from './call-record.ts';

/** An event that management-api accepts; its `id` is that of the call. Unknown members of `details` are dropped. */
export const AuditEvent = z.object({
  id: z.string(),
  organization_id: OrganizationId,
  action: z.string(),
  /** ISO 8601, UTC, with milliseconds; the same time as in the id */
  occurred_at: z.string(),
  actor: z.object({ type: z.literal('user'), id: z.string() }),
  targets: z.array(
    z.object({
      type: EventTargetType,
      id: z.string(),
      name: z.string().nullable().optional(),
    }),
  ),
  request_id: z.string().nullable(),
  details: z.object({
    outcome: z.string(),
    leg: z.string(),
    rule: z.string(),
    reason: z.string().optional(),
    /** What an operator or an administrator can do about this refusal, if the other server's answer shows it */
    hint: z.string().optional(),
    endpoint: z.enum(['api', 'mcp']).optional(),
    method: z.string().optional(),
    /** `hit` if the token came from the cache; undefined if the call ended before the cache was read */
    cache: z.enum(['hit', 'miss']).optional(),
    /** True if the delegation shows that ID-JAGs work at the tool server; see `DelegationFacts.usedMethod` */
    used_id_jag: z.boolean().optional(),
    /** True if the delegation shows that `token-exchange` works there */
    used_token_exchange: z.boolean().optional(),
    /**
     * `yes` if a new token of `token-exchange` is for this tool server alone; `unknown` if the hub cannot read it
     */
    audience_scoped: z.enum(['yes', 'no', 'unknown']).optional(),
    /**
     * True if the delegation shows that users' own consent works at the tool server; see `DelegationFacts.usedMethod`
     */
    used_consent: z.boolean().optional(),
    /** The application to which the ID token was issued: its `azp`, or otherwise its audience */
    authorized_party: z.string().optional(),
    /** True if the session or the client proved which agent acts; false if the caller only named it */
    agent_authenticated: z.boolean().optional(),
    /** `provider` if the identity provider has named the hub in the ID-JAG as the one that acts */
    actor: z.literal('provider').optional(),
    /** Hash of the ID token; see `tokenId` */
    id_token_hash: z.string(),
    id_jag_hash: z.string().optional(),
    access_token_hash: z.string().optional(),
    /** W3C trace id if the hub started the trace, otherwise the request id */
    trace_id: z.string().optional(),
    /** `X-Request-Id` and W3C trace id that the caller sent; the caller chooses them, and may reuse them */
    caller_request_id: z.string().optional(),
    caller_trace_id: z.string().optional(),
    /** Id of the denied call that this call repeats, according to the caller */
    retry_of: z.string().optional(),
    /**
     * Number of refusals that this event counts, including its own, and the time of the first; absent for a single
     * refusal
     */
    count: z.number().optional(),
    since: z.string().optional(),
    duration_ms: z.number(),
    registry_ms: z.number().optional(),
    cache_ms: z.number().optional(),
    idp_ms: z.number().optional(),
    authorization_server_ms: z.number().optional(),
    tool_server_ms: z.number().optional(),
  }),
});
export type AuditEvent = z.output<typeof AuditEvent>;

/** Suffixes of the action for each outcome: done, denied, or failed. */
const DONE = {
  granted: 'done',
  tool_error: 'done',
  denied: 'denied',
  unsupported: 'denied',
  expired: 'denied',
  unavailable: 'failed',
  misconfigured: 'failed',
} as const satisfies Record<Outcome, string>;

const ACTIONS = {
  tool: { done: 'tool.called', denied: 'tool.denied', failed: 'tool.failed' },
  prompt: { done: 'prompt.read', denied: 'prompt.denied', failed: 'prompt.failed' },
  resource: { done: 'resource.read', denied: 'resource.denied', failed: 'resource.failed' },
  delegation: { done: 'delegation.granted', denied: 'delegation.denied', failed: 'delegation.failed' },
} as const satisfies Record<CallSummary['kind'], Record<(typeof DONE)[Outcome], AuditAction>>;

/**
 * Returns the event of a call that has ended: identifiers, codes, hashes and times, without arguments, results or
 * tokens.
 */
export function auditEventOf(call: CallSummary): AuditEvent {
  const { caller, durations } = call;
  const decided = howEnded(call);
  const { origin } = caller;
  const { outcome } = rowOf(decided);
  return {
    id: call.id,
    organization_id: caller.organizationId,
    action: ACTIONS[call.kind][DONE[outcome]],
    occurred_at: new Date(call.occurredAtMs).toISOString(),
    actor: { type: 'user', id: toEventText(caller.userId, 255) ?? '?' },
    targets: targetsOf(call),
    request_id: toEventText(origin?.requestId, 64) ?? null,
    details: {
      outcome,
      leg: decided.leg,
      rule: decided.rule,
      reason: toEventText(decided.reason, 500),
      hint: toEventText(decided.hint, 500),
      endpoint: origin?.endpoint,
      method: call.method,
      cache: call.source && (call.source === 'cache' ? 'hit' : 'miss'),
      used_id_jag: call.usedMethods.includes('id-jag') || undefined,
      used_token_exchange: call.usedMethods.includes('token-exchange') || undefined,
      audience_scoped: call.audienceScoped,
      used_consent: call.usedMethods.includes('oauth-pkce') || undefined,
      authorized_party: toEventText(caller.mcpClient ?? caller.authentication.client, 255),
      agent_authenticated: origin?.isAgentAuthenticated || undefined,
      actor: call.actor,
      id_token_hash: caller.subjectTokenId,
      id_jag_hash: call.idJagId,
      access_token_hash: call.accessTokenId,
      trace_id: toEventText(origin?.traceId, 64),
      caller_request_id: toEventText(origin?.callerRequestId, 64),
      caller_trace_id: toEventText(origin?.callerTraceId, 64),
      retry_of: call.retryOf,
      duration_ms: rounded(call.endedAt - call.startedAt) ?? 0,
      registry_ms: rounded(durations.registry),
      cache_ms: rounded(durations.cache),
      idp_ms: rounded(durations.idp),
      authorization_server_ms: rounded(durations.authorization_server),
      tool_server_ms: rounded(durations.tool_server),
    },
  };
}

function targetsOf({ kind, caller, connectorId, connectorName, tool }: CallSummary): AuditEvent['targets'] {
  const targets: AuditEvent['targets'] = [];
  const agentId = toEventText(caller.origin?.agentId, 255);
  const connector = toEventText(connectorId, 255);
  // The query of a URI is user input, like the arguments of a tool, so it is dropped.
  const name = toEventText(kind === 'resource' ? tool?.replace(/[?#].*$/s, '') : tool, 255);
  if (agentId !== undefined) targets.push({ type: 'agent', id: agentId });
  if (connector !== undefined)
    targets.push({ type: 'connector', id: connector, name: toEventText(connectorName, 255) ?? null });
  if (name !== undefined) targets.push({ type: kind === 'delegation' ? 'tool' : kind, id: name });
  return targets;
}

const rounded = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.round(ms * 100) / 100;
