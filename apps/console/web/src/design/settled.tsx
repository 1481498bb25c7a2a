import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Skeleton } from './states.tsx';

interface SettledProps {
  readonly queries: readonly Pick<UseQueryResult, 'isLoading'>[];
  readonly children: ReactNode;
}

/**
 * Shows the parts of a page whose queries have loaded or failed. Parts of different heights appear together, because
 * one that appears later would move those below it. Once shown, they stay, even while a failed query is tried again.
 */
export function Settled({ queries, children }: SettledProps) {
  const isLoading = queries.some((query) => query.isLoading);
  const [shown, setShown] = useState(!isLoading);
  if (!shown && !isLoading) setShown(true);
  return shown || !isLoading ? children : <Skeleton height="block" />;
}
