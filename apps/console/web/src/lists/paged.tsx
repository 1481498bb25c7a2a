import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { PAGE_SIZE } from '../api/queries.ts';
import type { PageOf } from '../api/types.ts';
import { Loaded } from '../design/loaded.tsx';
import { Pager } from '../design/pager.tsx';

interface PagedProps<Row> {
  readonly query: UseQueryResult<PageOf<Row>>;
  /** What `usePage` returns */
  readonly page: { readonly offset: number; setOffset(offset: number): void };
  /** The placeholder while the first page loads */
  readonly loading: ReactNode;
  children(rows: readonly Row[]): ReactNode;
}

/** The offset of a list that is a part of a page, which is not in the URL. */
export function usePage() {
  const [offset, setOffset] = useState(0);
  return { offset, setOffset };
}

/** A list that is a part of a page; if it is longer than one page, its range and total are shown. */
export function Paged<Row>({ query, page: { offset, setOffset }, loading, children }: PagedProps<Row>) {
  const isBeyond = offset > 0 && query.data?.data.length === 0; // its last row was removed
  useEffect(() => {
    if (isBeyond) setOffset(Math.max(0, offset - PAGE_SIZE));
  }, [isBeyond, offset, setOffset]);
  return (
    <Loaded query={query} loading={loading}>
      {({ data, pagination: { total } }) => (
        <>
          {children(data)}
          {total > PAGE_SIZE && (
            <Pager total={total} offset={offset} limit={PAGE_SIZE} onOffset={setOffset} />
          )}
        </>
      )}
    </Loaded>
  );
}
