import type { Caller } from '../domain/caller.ts';
import { remedyOf, rowOf } from '../domain/decision.ts';
import type { UserRights } from '../domain/user-rights.ts';
import type { AuditEvent } from './call-event.ts';
import type { Explanations } from './explanations.ts';

export type Explain = ReturnType<typeof createExplain>;

export function createExplain(
  explanations: Pick<Explanations, 'find'>,
  rights: Pick<UserRights, 'isAdministrator'>,
) {
  /**
   * @returns undefined if the call is unknown, or the caller may not read it: only its user and the administrators of
   * its organization may
   */
  return async (caller: Caller, callId: string) => {
    const event = await explanations.find(callId);
    if (!event || event.organization_id !== caller.organizationId) return undefined;
    if (event.actor.id !== caller.userId && !(await rights.isAdministrator(caller))) return undefined;
    return toExplanation(event);
  };
}

/**
 * Explains why a call ended as it did, in the form of the HTTP response. `leg` and `rule` are stable: the part of the
 * call that decided, and the rule that it applied. `summary` and `remedy` are for people and may change. `reason` is
 * what the other server sent, without tokens or secrets.
 */
function toExplanation(event: AuditEvent) {
  const { details } = event;
  const target = (type: string) => event.targets.find((one) => one.type === type)?.id ?? null;
  const { summary } = rowOf(details);
  const { remedy, doctor } = remedyOf(details, target('connector') ?? undefined);
  return {
    call_id: event.id,
    occurred_at: event.occurred_at,
    organization_id: event.organization_id,
    user_id: event.actor.id,
    client_id: details.authorized_party ?? null,
    agent_id: target('agent'),
    agent_authenticated: details.agent_authenticated ?? null,
    connector_id: target('connector'),
    tool: target('tool'),
    outcome: details.outcome,
    leg: details.leg,
    rule: details.rule,
    summary,
    remedy,
    doctor: doctor ?? null,
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
