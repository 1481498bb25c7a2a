import type { OrganizationId } from '@legate/ids';
import type { Caller } from '../domain/caller.ts';
import { rowOf } from '../domain/decision.ts';
import { isAdministrator } from '../domain/is-administrator.ts';
import type { AuditEvent } from './call-event.ts';
import type { Explanations } from './explanations.ts';

/** Why a call ended as it did; on the wire as it is. */
export interface Explanation {
  readonly call_id: string;
  readonly occurred_at: string;
  readonly organization_id: OrganizationId;
  readonly user_id: string;
  readonly agent_id: string | null;
  readonly connector_id: string | null;
  readonly tool: string | null;
  readonly outcome: string;
  /** Which leg decided, and by which rule; stable */
  readonly leg: string;
  readonly rule: string;
  /** For people; may change */
  readonly summary: string;
  readonly remedy: string;
  /** More about it, in fixed words and error codes */
  readonly reason: string | null;
  readonly method: string | null;
  readonly cache: 'hit' | 'miss' | null;
  readonly request_id: string | null;
  readonly trace_id: string | null;
  /** Names that the caller chose: the `X-Request-Id` and the trace id of the call's request */
  readonly caller_request_id: string | null;
  readonly caller_trace_id: string | null;
  /** Milliseconds */
  readonly durations: Readonly<Record<string, number>>;
}

/**
 * @returns undefined where nothing is known of the call, or the caller may not read it: only the user who made it may, and
 * the administrators of its organization
 */
export type Explain = (caller: Caller, callId: string) => Promise<Explanation | undefined>;

export function createExplain(explanations: Pick<Explanations, 'find'>): Explain {
  return async (caller, callId) => {
    const event = await explanations.find(callId);
    if (!event || event.organization_id !== caller.organizationId) return undefined;
    if (event.actor.id !== caller.userId && !isAdministrator(caller)) return undefined;
    return toExplanation(event);
  };
}

function toExplanation(event: AuditEvent): Explanation {
  const { details } = event;
  const target = (type: string) => event.targets.find((one) => one.type === type)?.id ?? null;
  const { summary, remedy } = rowOf(details);
  return {
    call_id: event.id,
    occurred_at: event.occurred_at,
    organization_id: event.organization_id,
    user_id: event.actor.id,
    agent_id: target('agent'),
    connector_id: target('connector'),
    tool: target('tool'),
    outcome: details.outcome,
    leg: details.leg,
    rule: details.rule,
    summary,
    remedy,
    reason: details.reason ?? null,
    method: details.method ?? null,
    cache: details.cache ?? null,
    request_id: event.request_id,
    trace_id: details.trace_id ?? null,
    caller_request_id: details.caller_request_id ?? null,
    caller_trace_id: details.caller_trace_id ?? null,
    durations: Object.fromEntries(
      Object.entries(details).flatMap(([name, value]): [string, number][] =>
        name.endsWith('_ms') && typeof value === 'number' ? [[name, value]] : [],
      ),
    ),
  };
}
