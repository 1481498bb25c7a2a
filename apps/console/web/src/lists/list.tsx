import type { UseQueryResult } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { PAGE_SIZE } from '../api/queries.ts';
import type { PageOf } from '../api/types.ts';
import { FilterBar } from '../design/filter-bar.tsx';
import { type Option, Select } from '../design/inputs.tsx';
import { Loaded } from '../design/loaded.tsx';
import { Pager } from '../design/pager.tsx';
import { Empty, NothingMatches } from '../design/states.tsx';
import { type Column, DataTable } from '../design/table.tsx';
import { TableSkeleton } from '../design/table-skeleton.tsx';
import { useConfig } from '../session/session.tsx';
import styles from './list.module.css';
import { type SearchChange, useSearchChange } from './list-state.ts';

/** A filter of a list. The option with an empty value is what the list shows without the filter. */
export interface Filter {
  /** The filter's search parameter in the page's address */
  readonly name: string;
  readonly label: string;
  readonly options: readonly Option<string>[];
}

interface ListProps<Row> {
  readonly label: string;
  /** Search parameters of the page */
  readonly search: SearchChange;
  readonly query: UseQueryResult<PageOf<Row>>;
  readonly columns: readonly Column<Row>[];
  /** The accessible name of the search field, if the API can search */
  readonly find?: string;
  readonly filters?: readonly Filter[];
  /** The sort order if the URL has none, for an API that can sort */
  readonly sort?: string;
  readonly empty: EmptyList;
}

/** Content shown if the list has no rows at all */
interface EmptyList {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly action?: ReactNode;
}

/** A list of the management API, with search, filters and pages in the URL, and every state of the table. */
export function List<Row extends { readonly id: string }>(props: ListProps<Row>) {
  const { label, search, query, columns, find, filters = [], sort, empty } = props;
  const set = useSearchChange();
  const { docs_url: docs } = useConfig();
  const onSearch = useCallback((text: string) => set({ search: text }), [set]);
  const names = ['search', ...filters.map(({ name }) => name)];
  const filtered = names.some((name) => search[name] !== undefined);
  const clear = () => set(Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <div className={styles.list}>
      <FilterBar
        search={textOf(search.search)}
        {...(find !== undefined && { searchLabel: find, onSearch })}
        onClear={filtered ? clear : undefined}
        end={
          query.data && (
            <Pager
              total={query.data.pagination.total}
              offset={Number(search.offset ?? 0)}
              limit={PAGE_SIZE}
              onOffset={(offset) => set({ offset })}
            />
          )
        }
      >
        {filters.map((filter) => (
          <Select
            key={filter.name}
            small
            hideLabel
            {...filter}
            value={textOf(search[filter.name]) ?? ''}
            onChange={(value) => set({ [filter.name]: value })}
          />
        ))}
      </FilterBar>
      <Loaded query={query} loading={<TableSkeleton />}>
        {({ data }) =>
          data.length > 0 ? (
            <DataTable
              label={label}
              columns={columns}
              rows={data}
              keyOf={({ id }) => id}
              stale={query.isPlaceholderData}
              {...(sort !== undefined && {
                sort: textOf(search.sort) ?? sort,
                onSort: (next: string) => set({ sort: next }),
              })}
            />
          ) : filtered ? (
            <NothingMatches onClear={clear} />
          ) : (
            <Empty icon={empty.icon} action={empty.action} docs={docs}>
              {empty.text}
            </Empty>
          )
        }
      </Loaded>
    </div>
  );
}

const textOf = (value: string | number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);
