import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ListQuery, listOf, one } from '../api/queries.ts';
import { Select, TextField } from '../design/inputs.tsx';
import { Loaded } from '../design/loaded.tsx';
import { Skeleton } from '../design/states.tsx';
import { t } from '../text/en.ts';
import { nameText } from '../untrusted/reveal.ts';
import { usePaused } from './use-paused.ts';

/** Maximum number of items that the management API returns at once */
const LISTED_AT_MOST = 100;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The query of a choice, for pages that need more of what it offers. */
export const choicesQuery = <T extends Named>(path: string, filter: ListQuery = {}, search = '') =>
  listOf<T>(path, { ...filter, limit: LISTED_AT_MOST, sort: 'name', search });

interface ResourceSelectProps {
  readonly name: string;
  readonly label: string;
  readonly error?: string | undefined;
  /** Path of a list of the management API that can be searched by name */
  readonly path: '/agents' | '/connectors';
  /** A condition for what is offered */
  readonly filter?: ListQuery;
  /** Ids of items that are not offered */
  readonly except?: readonly string[];
  /** The text if nothing is chosen */
  readonly placeholder?: string;
  readonly value: string;
  onChange(id: string): void;
}

/** A choice of one resource. If there are more than the API lists at once, they can be searched by name. */
export function ResourceSelect(props: ResourceSelectProps) {
  const { path, filter, except = [], placeholder, value, onChange, ...field } = props;
  const [text, setText] = useState('');
  const search = usePaused(text.trim());
  const found = useQuery(choicesQuery<Named>(path, filter, search));
  const isListed = found.data?.data.some(({ id }) => id === value) ?? true;
  const chosen = useQuery({ ...one<Named>(`${path}/${value}`), enabled: value !== '' && !isListed });
  return (
    <Loaded query={found} loading={<Skeleton height="line" />}>
      {({ data, pagination: { total } }) => {
        const offered = data.filter(({ id }) => !except.includes(id));
        const kept = value === '' || isListed ? [] : [{ id: value, name: chosen.data?.data.name ?? value }];
        return (
          <>
            {(total > data.length || text !== '') && (
              <TextField
                type="search"
                name={`${field.name}-search`}
                required={false}
                label={t.common.findByName}
                hint={t.common.listed(data.length, total)}
                value={text}
                onChange={setText}
                error={undefined}
              />
            )}
            <Select
              {...field}
              error={field.error}
              value={value}
              options={[
                ...(placeholder === undefined ? [] : [{ value: '', label: placeholder }]),
                ...[...kept, ...offered].map(({ id, name }) => ({
                  value: id,
                  label: nameText(name),
                })),
              ]}
              onChange={onChange}
            />
          </>
        );
      }}
    </Loaded>
  );
}
