import type { ReactNode } from 'react';
import { Status, type Tone } from './status.tsx';
import styles from './timeline.module.css';

export interface Step {
  readonly key: string;
  readonly tone: Tone;
  /** What happened, in words */
  readonly title: ReactNode;
  /** The result in a word: "passed", "refused", "not reached" */
  readonly outcome: string;
  readonly duration?: string | undefined;
  readonly detail?: ReactNode;
}

/** Steps in order: checks of an examination, legs of a delegation. */
export function Timeline({ label, steps }: { readonly label: string; readonly steps: readonly Step[] }) {
  return (
    <ol aria-label={label} className={styles.timeline}>
      {steps.map((step) => (
        <li key={step.key} className={styles.step}>
          <div className={styles.line}>
            <Status tone={step.tone}>
              <span className="visually-hidden">{step.outcome}</span>
              <span className={styles.title}>{step.title}</span>
            </Status>
            <span className={styles.end}>{step.duration ?? step.outcome}</span>
          </div>
          {step.detail && <div className={styles.detail}>{step.detail}</div>}
        </li>
      ))}
    </ol>
  );
}
