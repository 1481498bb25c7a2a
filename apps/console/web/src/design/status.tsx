import {
  CircleCheck,
  CircleDashed,
  CircleMinus,
  CircleX,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './status.module.css';

export type Tone = 'allowed' | 'warning' | 'refused' | 'neutral' | 'waiting';

const ICONS: Record<Tone, LucideIcon> = {
  allowed: CircleCheck,
  warning: TriangleAlert,
  refused: CircleX,
  neutral: CircleMinus,
  waiting: CircleDashed,
};

interface StatusProps {
  readonly tone: Tone;
  /** A word beside the icon, because colour alone must not carry the meaning. */
  readonly children: ReactNode;
  /** True for a coloured surface, where the status should catch the eye */
  readonly filled?: boolean;
}

export function Status({ tone, children, filled }: StatusProps) {
  const Icon = ICONS[tone];
  return (
    <span className={cx(styles.status, styles[tone], filled && styles.filled)}>
      <Icon aria-hidden size={16} />
      <span>{children}</span>
    </span>
  );
}
