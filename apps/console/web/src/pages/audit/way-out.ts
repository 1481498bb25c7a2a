import type { AuditEvent } from '../../api/types.ts';
import { textOf } from './why-steps.ts';

/** The page on which the cause of a refusal can be removed */
export type WayOut =
  | { readonly to: 'binding' | 'agent' | 'connector'; readonly id: string }
  | { readonly to: 'account' };

/** Parts whose refusals depend on the settings of the connector */
const BY_CONNECTOR = ['registry', 'idp', 'authorization_server', 'tool_server'];

/**
 * Returns where the refusal of a call can be remedied; undefined if no page of the console helps.
 * @param outcome of the rule, as reported by the hub
 * @param readerId only they can connect an account of theirs
 */
export function wayOutOf(
  { details, targets, actor }: Pick<AuditEvent, 'details' | 'targets' | 'actor'>,
  outcome: string,
  readerId: string,
): WayOut | undefined {
  const leg = textOf(details?.leg) ?? '';
  const agent = targets.find(({ type }) => type === 'agent');
  // A connector without a name does not exist.
  const connector = targets.find(({ type, name }) => type === 'connector' && name !== null);
  if (outcome === 'granted' || outcome === 'tool_error') return undefined;
  if (leg === 'binding') return agent && { to: 'binding', id: agent.id };
  if (details?.rule === 'agent_inactive') return agent && { to: 'agent', id: agent.id };
  if (details?.rule === 'connection_required') return actor.id === readerId ? { to: 'account' } : undefined;
  return connector && BY_CONNECTOR.includes(leg) ? { to: 'connector', id: connector.id } : undefined;
}
