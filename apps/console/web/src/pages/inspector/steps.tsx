import { Link } from '@tanstack/react-router';
import type { DoctorReport } from '../../api/types.ts';
import { Section } from '../../design/layout.tsx';
import { Notice } from '../../design/states.tsx';
import type { Tone } from '../../design/status.tsx';
import { type Step, Timeline } from '../../design/timeline.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import type { RunStep, StepState } from './run.ts';

const TONES: Readonly<Record<StepState, Tone>> = {
  passed: 'allowed',
  failed: 'refused',
  not_reached: 'waiting',
  not_used: 'neutral',
};

interface StepsProps {
  readonly report: DoctorReport;
  readonly steps: readonly RunStep[];
}

/** How far the run got, and where it ended. */
export function Steps({ report, steps }: StepsProps) {
  const { connector_id: connectorId, first_fault: fault } = report;
  return (
    <Section title={t.inspector.steps} bare>
      {fault && (
        <Notice tone="warning" title={t.connectors.checks[fault.check]}>
          {fault.detail ? <Revealed text={fault.detail} /> : t.connectors.askAdministrator}
          {fault.remedy && (
            <p>
              <Revealed text={fault.remedy} />
            </p>
          )}
          <p>
            <Link to="/connectors/$connectorId" params={{ connectorId }} search={{ tab: 'examination' }}>
              {t.inspector.examine}
            </Link>
          </p>
        </Notice>
      )}
      <Timeline label={t.inspector.steps} steps={steps.map(toStep)} />
    </Section>
  );
}

function toStep({ name, state, token }: RunStep): Step {
  const words = t.inspector.step[name];
  return {
    key: name,
    tone: TONES[state],
    title: words.title,
    outcome: t.inspector.states[state],
    detail: (
      <>
        <p>
          {words.how}
          {token?.endpoint && (
            <>
              {t.common.dot}
              <code>
                <Revealed text={token.endpoint} />
              </code>
            </>
          )}
        </p>
        {token && token.claims === null && <p className="muted">{t.inspector.opaque}</p>}
        {token?.scopes && (
          <p className="muted">
            {t.inspector.granted} <code>{token.scopes.join(' ')}</code>
          </p>
        )}
      </>
    ),
  };
}
