import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import type { Overview } from '../../api/types.ts';
import { Button, buttonClass } from '../../design/button.tsx';
import { cx } from '../../design/cx.ts';
import { Section } from '../../design/layout.tsx';
import { Status } from '../../design/status.tsx';
import { Time } from '../../design/time.tsx';
import { useRight, useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { CallButton } from './call-button.tsx';
import { checklist, nextStep, SCOPES, type StepName } from './checklist-steps.ts';
import styles from './home.module.css';

const PLACES = {
  connector: { to: '/connectors', search: { open: 'add' } },
  agent: { to: '/agents', search: { open: 'add' } },
  bound: { to: '/agents' },
  site: { to: '/sites' },
} as const;

/** The checklist up to the first tool call; a single line once it is completed. */
export function Checklist({ overview }: { readonly overview: Overview }) {
  const { scopes } = useSession();
  if (overview.first_call_at !== null)
    return (
      <p className={styles.finished}>
        <Status tone="allowed">{t.home.finished}</Status>
        <span className="muted">
          <Time at={overview.first_call_at} />
        </span>
      </p>
    );
  const steps = checklist(overview);
  const next = nextStep(steps, scopes);
  return (
    <Section
      title={t.home.checklist}
      actions={
        <span className="muted">{t.home.done(steps.filter(({ done }) => done).length, steps.length)}</span>
      }
    >
      <ol className={styles.steps}>
        {steps.map(({ name, done }) => (
          <li key={name} className={cx(styles.step, done && styles.done)}>
            {done ? <CircleCheck aria-hidden size={18} /> : <Circle aria-hidden size={18} />}
            <span>{t.home.steps[name]}</span>
            <span className="visually-hidden">{done ? t.home.stepDone : t.home.stepOpen}</span>
          </li>
        ))}
      </ol>
      <div>{next === 'call' ? <CallButton /> : <StepLink step={next} />}</div>
    </Section>
  );
}

/** Leads to the page of a step; disabled with the reason if the reader's role cannot take it. */
function StepLink({ step }: { readonly step: Exclude<StepName, 'call'> }) {
  const { reason } = useRight(SCOPES[step]);
  if (reason !== undefined)
    return (
      <Button variant="primary" unavailable={reason}>
        {t.home.next[step]}
      </Button>
    );
  return (
    <Link {...PLACES[step]} className={buttonClass('primary')}>
      {t.home.next[step]}
    </Link>
  );
}
