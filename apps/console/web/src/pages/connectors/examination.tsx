import type { Check, Connector } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { JsonTree } from '../../design/json-tree.tsx';
import { Section, Stack } from '../../design/layout.tsx';
import { Empty, Notice, Problem, Skeleton } from '../../design/states.tsx';
import type { Tone } from '../../design/status.tsx';
import { Timeline } from '../../design/timeline.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { safeHref } from '../../untrusted/safe-href.ts';
import { useConnectorChange } from './changes.ts';
import type { ExaminationState } from './use-examination.ts';

const TONES: Readonly<Record<Check['status'], Tone>> = {
  ok: 'allowed',
  warn: 'warning',
  fail: 'refused',
  skipped: 'waiting',
};

interface ExaminationProps {
  readonly connector: Connector;
  readonly examination: ExaminationState;
}

export function Examination({ connector, examination }: ExaminationProps) {
  const { report, error, isPending, mutate } = examination;
  if (isPending) return <Skeleton height="chart" />;
  if (error) return <Problem problem={error} onRetry={() => mutate()} />;
  if (!report)
    return (
      <Empty action={<Button onClick={() => mutate()}>{t.connectors.examine}</Button>}>
        {t.connectors.notExamined}
      </Empty>
    );
  return (
    <Stack>
      {report.first_fault && <FirstFault connector={connector} fault={report.first_fault} />}
      <Checks checks={report.checks} />
    </Stack>
  );
}

/** The checks in order; details that the hub shows only to administrators are folded below each check. */
export function Checks({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <Timeline
      label={t.connectors.tabs.examination}
      steps={checks.map((check) => ({
        key: check.check,
        tone: TONES[check.status],
        title: t.connectors.checks[check.check],
        outcome: t.connectors.checkStatus[check.status],
        detail: (check.status === 'fail' || check.status === 'warn') && <Detail check={check} />,
      }))}
    />
  );
}

function Detail({ check: { detail, remedy, evidence } }: { readonly check: Check }) {
  return (
    <>
      {detail && (
        <p>
          <Revealed text={detail} />
        </p>
      )}
      {remedy && (
        <p className="muted">
          <Revealed text={remedy} />
        </p>
      )}
      {evidence && (
        <details>
          <summary>{t.connectors.evidence}</summary>
          <JsonTree label={t.connectors.evidence} value={evidence} />
        </details>
      )}
    </>
  );
}

function FirstFault({ connector, fault }: { readonly connector: Connector; readonly fault: Check }) {
  const right = useRight('connectors:write');
  const change = useConnectorChange(connector.id);
  const issuer = issuerOf(fault);
  return (
    <Section title={t.connectors.firstFault}>
      <Notice tone="warning" title={t.connectors.checks[fault.check]}>
        {fault.detail ? <Revealed text={fault.detail} /> : t.connectors.askAdministrator}
        {fault.remedy && (
          <p>
            <Revealed text={fault.remedy} />
          </p>
        )}
      </Notice>
      {issuer && (
        <div>
          <Button
            unavailable={right.reason}
            busy={change.isPending}
            onClick={() => change.mutate({ method: 'PATCH', body: { issuer } })}
          >
            {t.connectors.pinIt(issuer)}
          </Button>
        </div>
      )}
      {change.error && <Problem problem={change.error} />}
    </Section>
  );
}

/** The issuer that could be pinned, from the evidence of the check, if it is a URL that is safe to link to. */
function issuerOf({ check, evidence }: Check): string | undefined {
  const named: unknown = evidence?.issuer;
  if (check !== 'issuer' || typeof named !== 'string') return undefined;
  return safeHref(named) ? named : undefined;
}
