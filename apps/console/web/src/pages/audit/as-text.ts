import type { AuditEvent, Rule } from '../../api/types.ts';
import { t } from '../../text/en.ts';
import { revealed } from '../../untrusted/reveal.ts';
import { isProven, nameOfActor, nameOfTarget, outcomeOf, partsOf } from './describe.ts';

/** Returns an event as text for a ticket or an e-mail. It contains no token, since the audit trail has none. */
export function asText(event: AuditEvent, rule: Rule | undefined): string {
  const { id, action, occurred_at: at, context, details, targets } = event;
  const { agent } = partsOf(event);
  const lines: readonly (readonly [string, string | null | undefined])[] = [
    [t.audit.outcome, `${t.audit.outcomes[outcomeOf(event)]} (${action})`],
    [t.audit.time, at],
    [t.audit.who, nameOfActor(event)],
    ...targets.map((target) => [target.type, `${nameOfTarget(target)} (${target.id})`] as const),
    [t.audit.agent, agent && t.audit.agents[isProven(event) ? 'proven' : 'named']],
    [t.audit.why, rule?.summary],
    [t.audit.helps, rule?.remedy],
    [t.audit.code, details?.rule === undefined ? undefined : `${details.leg}.${details.rule}`],
    [t.audit.reason, typeof details?.reason === 'string' ? details.reason : undefined],
    [t.audit.event, id],
    [t.audit.request, context.request_id],
    [t.audit.trace, context.trace_id],
  ];
  return lines
    .flatMap(([name, value]) => (value ? [`${name.replace(/:$/, '')}: ${revealed(oneLine(value))}`] : []))
    .join('\n');
}

/** Removes line breaks from untrusted names, so that none can begin a line of its own. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
