import type { Caller } from '../domain/caller.ts';
import { remedyOf, rowOf } from '../domain/decision.ts';
import type { ConnectorRegistry } from '../domain/registry.ts';
import type { UserRights } from '../domain/user-rights.ts';
import type { AuditEvent } from './call-event.ts';
import type { Explanations } from './explanations.ts';

export type Explain = ReturnType<typeof createExplain>;

export function createExplain(
  explanations: Pick<Explanations, 'find'>,
  rights: Pick<UserRights, 'isAdministrator'>,
  registry: Pick<ConnectorRegistry, 'of'>,
) {
  /** @returns the current name of an agent, since calls do not record it; null if it is unknown or cannot be read */
  async function nameOfAgent({ organizationId }: Caller, agentId: string | null): Promise<string | null> {
    if (agentId === null) return null;
    const organization = await registry.of(organizationId).catch(() => undefined);
    return organization?.agents.get(agentId)?.name ?? null;
  }

  /**
   * @returns undefined if the call is unknown, or the caller may not read it: only its user and the administrators of
   * its organization may
   */
  return async (caller: Caller, callId: string) => {
    const event = await explanations.find(callId);
    if (!event || event.organization_id !== caller.organizationId) return undefined;
    if (event.actor.id !== caller.userId && !(await rights.isAdministrator(caller))) return undefined;
    return toExplanation(event, await nameOfAgent(caller, targetOf(event, 'agent')?.id ?? null));
  };
}

const targetOf = ({ targets }: AuditEvent, type: string) => targets.find((one) => one.type === type);

/**
 * Explains why a call ended as it did, in the form of the HTTP response. `leg` and `rule` are stable: the part of the
 * call that decided, and the rule that it applied. `summary` and `remedy` are for people and may change. `reason` is
 * what the other server sent, without tokens or secrets.
 */
function toExplanation(event: AuditEvent, agentName: string | null) {
  const { details } = event;
  const target = (type: string) => targetOf(event, type)?.id ?? null;
  const { summary } = rowOf(details);
  const { remedy, doctor } = remedyOf(details, target('connector') ?? undefined);
  return {
    call_id: event.id,
    action: event.action,
    occurred_at: event.occurred_at,
    organization_id: event.organization_id,
    user_id: event.actor.id,
    client_id: details.authorized_party ?? null,
    agent_id: target('agent'),
    agent_name: agentName,
    agent_authenticated: details.agent_authenticated ?? null,
    connector_id: target('connector'),
    connector_name: targetOf(event, 'connector')?.name ?? null,
    tool: target('tool'),
    outcome: details.outcome,
    leg: details.leg,
    rule: details.rule,
    summary,
    remedy: details.hint ?? remedy,
    doctor: doctor ?? null,
    reason: details.reason ?? null,
    method: details.method ?? null,
    cache: details.cache ?? null,
    audience_scoped: details.audience_scoped ?? null,
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
