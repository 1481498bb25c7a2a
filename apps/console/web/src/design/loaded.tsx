import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Problem } from './states.tsx';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  /** The placeholder: a skeleton of the final height */
  readonly loading: ReactNode;
  children(data: T): ReactNode;
}

/**
 * Shows the data of a query, its placeholder while it loads, or its problem; the other parts of the page stay
 * usable.
 */
export function Loaded<T>({ query, loading, children }: LoadedProps<T>) {
  if (query.data !== undefined)
    return (
      <>
        {query.error && <Problem problem={query.error} onRetry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    );
  if (query.error) return <Problem problem={query.error} onRetry={() => void query.refetch()} />;
  return loading;
}
