import type { AuditEvent } from '../../api/types.ts';
import { t } from '../../text/en.ts';

export type EventOutcome = 'allowed' | 'refused' | 'failed' | 'done';

/** Actions that report a call or a delegation; all others report that something was done. */
const CALLS = /^(tool|prompt|resource|delegation)\./;

/** Actions that can have an agent who acts for the user */
const BY_AGENTS = /^(tool|prompt|resource|delegation|session)\./;

/** Actions whose names end like an outcome, although they report that something was done */
const DONE = ['member.denied', 'domain.failed', 'consent.denied'];

/** Returns the outcome as a value of the API's filter: an error of the tool itself counts as allowed. */
export function outcomeOf({ action }: Pick<AuditEvent, 'action'>): EventOutcome {
  if (DONE.includes(action)) return 'done';
  if (action.endsWith('.denied')) return 'refused';
  if (action.endsWith('.failed')) return 'failed';
  return CALLS.test(action) && /\.(called|granted|read)$/.test(action) ? 'allowed' : 'done';
}

export type Target = AuditEvent['targets'][number];

/** The targets of an event, sorted by their part in the sentence. */
export interface Parts {
  readonly agent: Target | undefined;
  readonly tool: Target | undefined;
  readonly connector: Target | undefined;
  readonly others: readonly Target[];
}

const OF_CALLS = ['tool', 'prompt', 'resource'];

export function partsOf({ action, targets }: Pick<AuditEvent, 'action' | 'targets'>): Parts {
  const agent = BY_AGENTS.test(action) ? targets.find(({ type }) => type === 'agent') : undefined;
  const tool = targets.find(({ type }) => OF_CALLS.includes(type));
  const connector = targets.find(({ type }) => type === 'connector');
  return { agent, tool, connector, others: targets.filter((one) => ![agent, tool, connector].includes(one)) };
}

/** Returns whether the agent of a call proved itself; otherwise the application only said that it is this agent. */
export const isProven = ({ details }: Pick<AuditEvent, 'details'>): boolean =>
  details?.agent_authenticated === true;

/** @returns undefined for an action of a later version, whose code is shown instead */
export const verbOf = ({ action, targets }: Pick<AuditEvent, 'action' | 'targets'>): string | undefined =>
  (targets.length === 0 ? t.audit.clientVerbs[action] : undefined) ?? t.audit.verbs[action];

export const nameOfActor = ({ actor }: Pick<AuditEvent, 'actor'>): string =>
  actor.name ?? actor.email ?? (actor.type === 'system' ? t.audit.system : actor.id);

/** An agent, connector or site without a name was deleted for good, or never existed; the event itself has its id. */
export const nameOfTarget = ({ type, name, id }: Target): string => name ?? t.audit.gone[type] ?? id;
