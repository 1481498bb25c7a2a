import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditEvent, Rule } from '../../api/types.ts';
import { buttonClass } from '../../design/button.tsx';
import { CopyButton, CopyId } from '../../design/copy.tsx';
import { type Fact, Facts, Row, Section, Stack } from '../../design/layout.tsx';
import { Panel } from '../../design/modal.tsx';
import { Notice, Problem, Skeleton } from '../../design/states.tsx';
import type { Tone } from '../../design/status.tsx';
import { Time } from '../../design/time.tsx';
import { type Step, Timeline } from '../../design/timeline.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { asText } from './as-text.ts';
import styles from './audit.module.css';
import { Changes } from './changes.tsx';
import { isProven, outcomeOf, partsOf } from './describe.ts';
import { eventQuery, isNotRecorded, rulesQuery } from './queries.ts';
import { Outcome, What, Who } from './row-parts.tsx';
import { type WayOut, wayOutOf } from './way-out.ts';
import { type StepState, stepsOf, textOf, type WhyStep } from './why-steps.ts';

interface WhyPanelProps {
  readonly id: string;
  /** The event's row in the list, shown until the event is loaded; a list may omit long values */
  readonly row: AuditEvent | undefined;
  onClose(): void;
}

/**
 * Explains why a call ended as it did, using only the audit trail and the hub's explanations; or shows what
 * was changed.
 */
export function WhyPanel({ id, row, onClose }: WhyPanelProps) {
  const whole = useQuery({ ...eventQuery(id), enabled: row === undefined || row.truncated !== null });
  const rules = useQuery(rulesQuery);
  const event = whole.data ?? row;
  const rule = event && ruleOf(event, rules.data);
  return (
    <Panel
      title={event ? t.audit.titles[outcomeOf(event)] : t.audit.titles.done}
      onClose={onClose}
      footer={
        event && (
          <>
            <Inspect event={event} />
            <CopyButton text={asText(event, rule)} label={t.audit.copyText} />
          </>
        )
      }
    >
      {isNotRecorded(whole.error) && <Notice>{t.audit.notRecorded}</Notice>}
      {whole.error && <Problem problem={whole.error} onRetry={() => void whole.refetch()} />}
      {event ? (
        <Why event={event} rule={rule} rulesFailed={rules.error} />
      ) : (
        !whole.error && <Skeleton height="block" />
      )}
    </Panel>
  );
}

/**
 * A link to the inspector: the claims of a call are not stored, but the reader can run the same steps and see
 * their own claims.
 */
function Inspect({ event }: { readonly event: AuditEvent }) {
  const { scopes } = useSession();
  const { tool, connector } = partsOf(event);
  if (!tool || !connector || !scopes.includes('agents:write')) return null;
  return (
    <Link
      to="/inspector"
      search={{ connector: connector.id, event: event.id }}
      className={buttonClass('quiet')}
    >
      {t.audit.inspect}
    </Link>
  );
}

const ruleOf = ({ details }: AuditEvent, rules: readonly Rule[] | undefined): Rule | undefined =>
  rules?.find(({ leg, rule }) => leg === details?.leg && rule === details?.rule);

interface WhyProps {
  readonly event: AuditEvent;
  readonly rule: Rule | undefined;
  readonly rulesFailed: unknown;
}

function Why({ event, rule, rulesFailed }: WhyProps) {
  const { details } = event;
  const steps = stepsOf(details, rule?.outcome, partsOf(event).agent !== undefined);
  const hasRule = textOf(details?.rule) !== undefined;
  return (
    <Stack>
      <Row>
        <Outcome event={event} filled />
        <Time at={event.occurred_at} as="full" />
      </Row>
      <p>
        <Who event={event} /> <What event={event} />
      </p>
      {rule && (
        <div className={styles.answer}>
          <p className={styles.summary}>{rule.summary}</p>
          {rule.outcome !== 'granted' && (
            <p>
              <strong>{t.audit.helps}</strong> {rule.remedy}
            </p>
          )}
          <WhereItHelps event={event} outcome={rule.outcome} />
        </div>
      )}
      {hasRule &&
        !rule &&
        (rulesFailed ? <Problem problem={rulesFailed} /> : <p className="muted">{t.audit.unknownRule}</p>)}
      {steps.length > 0 && (
        <Section title={t.audit.steps} bare>
          <Timeline label={t.audit.steps} steps={steps.map((step) => toStep(step, event))} />
        </Section>
      )}
      {event.changes && <Changes changes={event.changes} />}
      <Facts facts={factsOf(event)} />
      <Hashes event={event} />
    </Stack>
  );
}

/** The page on which the reader or an administrator can fix the cause. */
function WhereItHelps({ event, outcome }: { readonly event: AuditEvent; readonly outcome: string }) {
  const { user } = useSession();
  const way = wayOutOf(event, outcome, user.id);
  if (way === undefined) return null;
  return (
    <div>
      <Link {...linkOf(way)} className={buttonClass('plain')}>
        {t.audit.waysOut[way.to]}
      </Link>
    </div>
  );
}

function linkOf(way: WayOut) {
  if (way.to === 'account') return { to: '/me/accounts' } as const;
  if (way.to === 'connector')
    return { to: '/connectors/$connectorId', params: { connectorId: way.id } } as const;
  return { to: '/agents/$agentId', params: { agentId: way.id } } as const;
}

const STEP_TONES: Record<StepState, Tone> = {
  passed: 'allowed',
  decided: 'refused',
  not_reached: 'waiting',
  not_needed: 'neutral',
};

function toStep({ leg, state, ms }: WhyStep, { details }: AuditEvent): Step {
  const reason = textOf(details?.reason);
  return {
    key: leg,
    tone: STEP_TONES[state],
    title: t.audit.legs[leg] ?? leg,
    outcome: t.audit.states[state],
    duration: ms === undefined ? undefined : t.audit.ms(ms),
    detail:
      state === 'decided' ? (
        <>
          <p>{t.audit.decided(leg)}</p>
          <p>
            <code>{textOf(details?.rule)}</code>
          </p>
          {reason !== undefined && (
            <p>
              {t.audit.reason}{' '}
              <code>
                <Revealed text={reason} />
              </code>
            </p>
          )}
        </>
      ) : state === 'not_needed' ? (
        <p>{leg === 'binding' ? t.audit.noAgent : t.audit.keptToken}</p>
      ) : undefined,
  };
}

function factsOf(event: AuditEvent): readonly Fact[] {
  const { id, action, context, details } = event;
  const address = textOf(details?.address);
  const facts: readonly (readonly [string, string | null])[] = [
    [t.audit.event, id],
    [t.audit.request, context.request_id],
    [t.audit.trace, context.trace_id],
  ];
  return [
    ...(partsOf(event).agent
      ? [{ term: t.audit.agent, value: t.audit.agents[isProven(event) ? 'proven' : 'named'] }]
      : []),
    { term: t.audit.code, value: <code>{action}</code> },
    ...(address === undefined ? [] : [{ term: t.audit.address, value: <Revealed text={address} /> }]),
    ...facts.flatMap(([term, value]) => (value === null ? [] : [{ term, value: <CopyId id={value} /> }])),
  ];
}

function Hashes({ event: { details } }: { readonly event: AuditEvent }) {
  const hashes = Object.entries(details ?? {}).filter(
    ([name, value]) => name.endsWith('_hash') && textOf(value),
  );
  if (hashes.length === 0) return null;
  return (
    <details>
      <summary>{t.audit.hashes}</summary>
      <p className="muted">{t.audit.hashesKept}</p>
      <Facts facts={hashes.map(([name, value]) => ({ term: name, value: <CopyId id={String(value)} /> }))} />
    </details>
  );
}
