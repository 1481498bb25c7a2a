import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Skeleton } from './states.tsx';

interface SettledProps {
  readonly queries: readonly Pick<UseQueryResult, 'isLoading'>[];
  readonly children: ReactNode;
}

/**
 * Shows the parts of a page whose queries have loaded or failed. Parts of different heights appear together, because
 * one that appears later would move those below it.
 */
export const Settled = ({ queries, children }: SettledProps) =>
  queries.some(({ isLoading }) => isLoading) ? <Skeleton height="block" /> : children;
