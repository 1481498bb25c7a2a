import type { ReactNode } from 'react';
import { Confirm, type Subject } from '../../design/confirm.tsx';
import { useEnding } from './use-ending.ts';

interface ConfirmEndingProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly subject: Subject;
  readonly button: string;
  readonly done: string;
  readonly path: string;
  onClose(): void;
}

/** Asks before something ends, and names it. */
export function ConfirmEnding({ done, path, ...confirm }: ConfirmEndingProps) {
  const ending = useEnding(path, done);
  return <Confirm {...confirm} run={() => ending.mutateAsync()} />;
}
