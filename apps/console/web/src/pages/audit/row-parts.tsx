import type { AuditEvent } from '../../api/types.ts';
import { Status, type Tone } from '../../design/status.tsx';
import { Name, ToolWord } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import styles from './audit.module.css';
import {
  type EventOutcome,
  isProven,
  nameOfActor,
  nameOfTarget,
  outcomeOf,
  partsOf,
  type Target,
  verbOf,
} from './describe.ts';

const TONES: Record<EventOutcome, Tone> = {
  allowed: 'allowed',
  refused: 'refused',
  failed: 'warning',
  done: 'neutral',
};

export function Outcome({ event, filled }: { readonly event: AuditEvent; readonly filled?: boolean }) {
  const outcome = outcomeOf(event);
  return (
    <Status tone={TONES[outcome]} filled={filled ?? false}>
      {t.audit.outcomes[outcome]}
    </Status>
  );
}

/** Shows who acted, and through which agent. */
export function Who({ event }: { readonly event: AuditEvent }) {
  const { agent } = partsOf(event);
  return (
    <span className={styles.who}>
      <Name text={nameOfActor(event)} />
      {agent && (
        <span className="muted">
          {t.audit.via} <Agent agent={agent} event={event} />
        </span>
      )}
    </span>
  );
}

interface AgentProps {
  readonly agent: Target;
  readonly event: AuditEvent;
}

/** Shows the agent of a call, and whether it proved itself. */
export function Agent({ agent, event }: AgentProps) {
  return (
    <>
      <Name text={nameOfTarget(agent)} /> {t.audit.proofs[isProven(event) ? 'proven' : 'named']}
    </>
  );
}

/** Shows what was done, and to what; names of tools come from the tool server, and are marked as such. */
export function What({ event }: { readonly event: AuditEvent }) {
  const { tool, connector, others } = partsOf(event);
  const verb = verbOf(event);
  const things = [...(tool ? [] : connector ? [connector] : []), ...others];
  return (
    <span className={styles.what}>
      {verb ?? <code>{event.action}</code>} {tool && <ToolWord name={tool.name ?? tool.id} />}
      {tool && connector && (
        <span className="muted">
          {t.audit.at} <Name text={nameOfTarget(connector)} />
        </span>
      )}
      {things.map((target, index) => (
        <span key={`${target.type} ${target.id}`}>
          <span className="muted">{target.type.replaceAll('_', ' ')}</span>{' '}
          <Name text={nameOfTarget(target)} />
          {index < things.length - 1 && t.audit.comma}
        </span>
      ))}
    </span>
  );
}
