import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Bars } from '../design/bars.tsx';
import { IconButton } from '../design/button.tsx';
import { FilterBar } from '../design/filter-bar.tsx';
import { Select } from '../design/inputs.tsx';
import { JsonTree } from '../design/json-tree.tsx';
import { Section } from '../design/layout.tsx';
import { Menu } from '../design/menu.tsx';
import { Pager } from '../design/pager.tsx';
import { Skeleton } from '../design/states.tsx';
import { Status, type Tone } from '../design/status.tsx';
import { type Column, DataTable, rowLink } from '../design/table.tsx';
import { TableSkeleton } from '../design/table-skeleton.tsx';
import { Timeline } from '../design/timeline.tsx';
import styles from './kit.module.css';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly tone: Tone;
  readonly word: string;
}

const ROWS: readonly Row[] = [
  {
    id: '1',
    name: 'Billing tools',
    address: 'mcp.acme.example/billing',
    tone: 'warning',
    word: 'issuer not pinned',
  },
  { id: '2', name: 'Reference tools', address: 'localhost:4003', tone: 'allowed', word: 'ready' },
  { id: '3', name: 'Search', address: 'search.acme.example', tone: 'neutral', word: 'disabled' },
];
const COLUMNS: readonly Column<Row>[] = [
  {
    header: 'Name',
    sort: 'name',
    cell: (row) => (
      <a href={`#${row.id}`} {...rowLink}>
        {row.name}
      </a>
    ),
  },
  { header: 'Address', cell: ({ address }) => address },
  { header: 'Status', cell: ({ tone, word }) => <Status tone={tone}>{word}</Status> },
  { header: 'Calls', numeric: true, cell: () => '1,204' },
  {
    header: 'Actions',
    hideHeader: true,
    narrow: true,
    cell: () => (
      <Menu
        label="Actions"
        trigger={(props) => <IconButton {...props} icon={MoreHorizontal} label="Actions" />}
        items={[
          { label: 'Disable', onSelect: () => {} },
          { label: 'Delete', danger: true, onSelect: () => {} },
        ]}
      />
    ),
  },
];
const DAYS = Array.from({ length: 30 }, (_, index) => ({
  key: String(index),
  label: `${index + 1} Nov`,
  parts: [20 + ((index * 37) % 60), (index * 7) % 11, index % 9 === 0 ? 3 : 0],
}));

export function Data() {
  const [sort, setSort] = useState('name');
  const [search, setSearch] = useState('');
  return (
    <>
      <Section title="Table" bare>
        <FilterBar
          search={search}
          searchLabel="Find a connector"
          onSearch={setSearch}
          onClear={search === '' ? undefined : () => setSearch('')}
          end={<Pager total={120} offset={0} limit={50} onOffset={() => {}} />}
        >
          <Select
            small
            hideLabel
            name="status"
            label="Status"
            value="any"
            onChange={() => {}}
            options={[{ value: 'any', label: 'Any status' }]}
          />
        </FilterBar>
        <DataTable
          label="Connectors"
          columns={COLUMNS}
          rows={ROWS}
          keyOf={({ id }) => id}
          sort={sort}
          onSort={setSort}
        />
        <TableSkeleton rows={3} />
        <Skeleton height="line" />
      </Section>
      <Section title="Calls, 30 days">
        <Bars
          title="Calls by day"
          labelHeader="Day"
          series={[
            { label: 'allowed', tone: 'allowed' },
            { label: 'refused', tone: 'refused' },
            { label: 'failed', tone: 'failed' },
          ]}
          bars={DAYS}
        />
      </Section>
      <div className={styles.columns}>
        <Section title="JSON">
          <JsonTree
            label="Result"
            value={{
              id: 'note_e1f4',
              text: 'Buy \u202Emilk',
              tags: ['a', 1, true, null],
              deep: { deeper: { deepest: 1 } },
            }}
          />
        </Section>
        <Section title="Timeline">
          <Timeline
            label="Checks"
            steps={[
              { key: 'a', tone: 'allowed', title: 'Reachable', outcome: 'passed', duration: '41 ms' },
              {
                key: 'b',
                tone: 'refused',
                title: 'Issuer',
                outcome: 'failed',
                detail: <p>It is at another origin.</p>,
              },
              { key: 'c', tone: 'waiting', title: 'Token exchange', outcome: 'not reached' },
            ]}
          />
        </Section>
      </div>
    </>
  );
}
