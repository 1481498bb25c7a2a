import type { components } from '@legate/client/management';
import { agentProof } from '../services/agent-proof.ts';
import { type Line, type Painted, type Part, painted, textOf } from '../terminal/output.ts';
import { oneLine } from '../terminal/plain.ts';
import { timeText } from '../terminal/time.ts';
import { together } from '../terminal/wrap.ts';

export type AuditEvent = components['schemas']['AuditEvent'];

const ACTION_WIDTH = 20;
const ACTOR_WIDTH = 20;

/** Formats an event: time, action, actor, application, target, changes and outcome. */
export function toLine({
  id,
  action,
  occurred_at,
  actor,
  targets,
  changes,
  context,
  details,
}: AuditEvent): Line {
  const { outcome, rule, agent_authenticated: isAuthenticated } = details ?? {};
  const hasProof = outcome !== undefined || isAuthenticated === true;
  const about = targets
    .filter(({ type }) => type !== 'organization')
    .map(({ type, name, id }) => [
      type,
      name ?? id,
      ...(hasProof && type === 'agent' ? [agentProof(isAuthenticated)] : []),
    ])
    .map((words) => together(oneLine(words.join(' '))))
    .join(', ');
  const { client_name: clientName } = details ?? {};
  const application =
    typeof clientName === 'string' ? `MCP client ${clientName} (${context.client_id})` : context.client_id; // a client chooses its name
  const result = resultOf(action, outcome);
  const ended = (result === undefined ? [details?.status, details?.fault, details?.reason] : [result, rule])
    .filter((part) => typeof part === 'string')
    .map(valueText)
    .join(' ');
  const parts: Part[] = [
    painted('cyan', oneLine(action).padEnd(ACTION_WIDTH)),
    oneLine(actor.email ?? actor.name ?? actor.id).padEnd(ACTOR_WIDTH),
    application === null ? '' : together(oneLine(`through ${application}`)),
    about,
    // A new thing has only new values.
    action.endsWith('.created') ? '' : changesText(changes ?? {}),
    painted(formatOf(result), together(oneLine(ended))),
    painted('dim', id),
  ];
  return [
    painted('dim', `${timeText(new Date(occurred_at))}  `),
    ...parts
      .filter((part) => textOf(part) !== '')
      .flatMap((part, index) => (index === 0 ? [part] : ['  ', part])),
  ];
}

/** Returns the outcome of a call in the words of the API's filter `outcome`; undefined for an event that is no call. */
function resultOf(action: string, outcome: unknown): string | undefined {
  if (outcome === undefined) return undefined;
  if (action.endsWith('.denied')) return 'refused';
  return action.endsWith('.failed') ? 'failed' : 'allowed';
}

function formatOf(result: string | undefined): Painted['format'] {
  if (result === 'allowed') return 'green';
  return result === 'refused' ? 'red' : 'yellow';
}

const VALUE_WIDTH = 40;

const changesText = (changes: NonNullable<AuditEvent['changes']>): string =>
  Object.entries(changes)
    .filter(([, { from, to }]) => from !== null || to !== null)
    .map(([field, { from, to }]) => together(oneLine(`${field} ${valueText(from)} → ${valueText(to)}`)))
    .join(', ');

/** Formats a value, cut if it is long. The API sends an excerpt of a very long one. */
function valueText(value: unknown): string {
  const shown = Object(value).excerpt ?? value ?? 'none';
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  return text.length > VALUE_WIDTH ? `${text.slice(0, VALUE_WIDTH)}…` : text;
}
