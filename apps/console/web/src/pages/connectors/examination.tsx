import { useState } from 'react';
import type { Check, Connector } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox } from '../../design/inputs.tsx';
import { JsonTree } from '../../design/json-tree.tsx';
import { Section, Stack } from '../../design/layout.tsx';
import { Empty, Notice, Problem, Skeleton } from '../../design/states.tsx';
import type { Tone } from '../../design/status.tsx';
import { Timeline } from '../../design/timeline.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import { issuerToTrust } from './findings.ts';
import { PinIssuer } from './pin-issuer.tsx';
import type { ExaminationState } from './use-examination.ts';

const TONES: Readonly<Record<Check['status'], Tone>> = {
  ok: 'allowed',
  warn: 'warning',
  fail: 'refused',
  skipped: 'waiting',
};

interface ExaminationProps {
  readonly connector: Connector;
  readonly etag: string | undefined;
  readonly examination: ExaminationState;
}

export function Examination({ connector, etag, examination }: ExaminationProps) {
  const { report, error, isPending, mutate } = examination;
  if (isPending) return <Skeleton height="chart" />;
  if (error) return <Problem problem={error} onRetry={() => mutate()} />;
  if (!report)
    return (
      <Empty action={connector.enabled && <Button onClick={() => mutate()}>{t.connectors.examine}</Button>}>
        {t.connectors.notExamined}
      </Empty>
    );
  return (
    <Stack>
      {report.first_fault && (
        <FirstFault connector={connector} etag={etag} fault={report.first_fault} onPinned={() => mutate()} />
      )}
      <Checks checks={report.checks} />
    </Stack>
  );
}

/**
 * The checks in order. What needs attention has its details; those of the other checks are shown on request.
 * The hub sends details only to administrators.
 */
export function Checks({ checks }: { readonly checks: readonly Check[] }) {
  const [all, setAll] = useState(false);
  const hasMore = checks.some((check) => !isNotable(check) && check.detail !== undefined);
  return (
    <>
      {hasMore && <Checkbox label={t.connectors.allEvidence} value={all} onChange={setAll} />}
      <Timeline
        label={t.connectors.tabs.examination}
        steps={checks.map((check) => ({
          key: check.check,
          tone: TONES[check.status],
          title: t.connectors.checks[check.check],
          outcome: t.connectors.checkStatus[check.status],
          detail: (all || isNotable(check)) && <Detail check={check} />,
        }))}
      />
    </>
  );
}

const isNotable = ({ status }: Check): boolean => status === 'fail' || status === 'warn';

function Detail({ check: { detail, remedy, evidence = {} } }: { readonly check: Check }) {
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
      {Object.keys(evidence).length > 0 && (
        <details>
          <summary>{t.connectors.evidence}</summary>
          <JsonTree label={t.connectors.evidence} value={evidence} />
        </details>
      )}
    </>
  );
}

interface FirstFaultProps {
  readonly connector: Connector;
  readonly etag: string | undefined;
  readonly fault: Check;
  onPinned(): void;
}

function FirstFault({ connector, etag, fault, onPinned }: FirstFaultProps) {
  const issuer = issuerToTrust(fault, connector.issuer !== null);
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
      {issuer !== undefined && (
        <PinIssuer connector={connector} etag={etag} issuer={issuer} onPinned={onPinned} />
      )}
    </Section>
  );
}
