import { Link, type LinkProps } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import type { Overview } from '../../api/types.ts';
import { buttonClass } from '../../design/button.tsx';
import { cx } from '../../design/cx.ts';
import { Section } from '../../design/layout.tsx';
import { Status } from '../../design/status.tsx';
import { Time } from '../../design/time.tsx';
import { t } from '../../text/en.ts';
import { checklist, type StepName } from './checklist-steps.ts';
import styles from './home.module.css';

const PLACES = {
  connector: { to: '/connectors', search: { open: 'add' } },
  agent: { to: '/agents', search: { open: 'add' } },
  bound: { to: '/agents' },
  site: { to: '/sites' },
  call: { to: '/connectors' },
} as const satisfies Record<StepName, LinkProps>;

/** The checklist up to the first tool call; a single line once it is completed. */
export function Checklist({ overview }: { readonly overview: Overview }) {
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
  const next = steps.find(({ done }) => !done)?.name;
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
      {next && (
        <div>
          <Link {...PLACES[next]} className={buttonClass('primary')}>
            {t.home.next[next]}
          </Link>
        </div>
      )}
    </Section>
  );
}
