import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { FilterBar } from '../../design/filter-bar.tsx';
import { Select, TextField } from '../../design/inputs.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import styles from './audit.module.css';
import { AboutPicker, WhoPicker } from './pickers.tsx';
import { type AuditSearch, hasDays, isFiltered, type Outcome } from './search.ts';

const ANY = 'any';
const OUTCOMES = [
  { value: ANY, label: t.audit.anyOutcome },
  ...(['allowed', 'refused', 'failed'] as const).map((value) => ({ value, label: t.audit.outcomes[value] })),
] as const;
const ACTIONS = [
  { value: ANY, label: t.audit.anyAction },
  ...Object.entries(t.audit.groups).map(([value, label]) => ({ value, label })),
];
const RANGES = (['month', 'week', 'day', 'days'] as const).map((value) => ({
  value,
  label: t.audit.ranges[value],
}));

interface FiltersProps {
  readonly search: AuditSearch;
  onChange(next: AuditSearch): void;
  /** Returns the name of an actor or a target, or the id if the name is unknown */
  nameOf(id: string): string;
  readonly end: ReactNode;
}

/** The filters of the API, whose values are in the URL. */
export function Filters({ search, onChange, nameOf, end }: FiltersProps) {
  const { role } = useSession();
  const maySearch = role === 'owner' || role === 'admin';
  const chips = [
    { key: 'actor', value: search.actor, label: (id: string) => t.audit.by(nameOf(id)) },
    { key: 'target', value: search.target, label: (id: string) => t.audit.about(nameOf(id)) },
    { key: 'rule', value: search.rule, label: t.audit.rule },
    { key: 'request', value: search.request, label: t.audit.ofRequest },
  ] as const;
  return (
    <>
      <FilterBar
        searchLabel={t.audit.find}
        search={search.q}
        {...(maySearch && { onSearch: (q: string) => onChange({ q: q === '' ? undefined : q }) })}
        onClear={isFiltered(search) ? () => onChange({ ...CLEARED }) : undefined}
        end={end}
      >
        {search.actor === undefined && <WhoPicker onPick={(actor) => onChange({ actor })} />}
        <Select
          small
          hideLabel
          name="action"
          label={t.audit.what}
          options={ACTIONS}
          value={search.action ?? ANY}
          onChange={(value) => onChange({ action: value === ANY ? undefined : value })}
        />
        <Select
          small
          hideLabel
          name="outcome"
          label={t.audit.outcome}
          options={OUTCOMES}
          value={search.outcome ?? ANY}
          onChange={(value) => onChange({ outcome: value === ANY ? undefined : (value as Outcome) })}
        />
        {search.target === undefined && <AboutPicker onPick={(target) => onChange({ target })} />}
        <Select
          small
          hideLabel
          name="range"
          label={t.audit.range}
          options={RANGES}
          value={hasDays(search) ? 'days' : (search.range ?? 'month')}
          onChange={(value) => onChange(rangeOf(value))}
        />
        {hasDays(search) &&
          (['from', 'to'] as const).map((name) => (
            <TextField
              key={name}
              hideLabel
              type="date"
              name={name}
              label={t.audit.days[name]}
              value={search[name] ?? ''}
              onChange={(day) => onChange({ [name]: day === '' ? undefined : day })}
              error={undefined}
            />
          ))}
      </FilterBar>
      {chips.some(({ value }) => value !== undefined) && (
        <div className={styles.chips}>
          {chips.map(
            ({ key, value, label }) =>
              value !== undefined && (
                <Button key={key} icon={X} onClick={() => onChange({ [key]: undefined })}>
                  <Revealed text={label(value)} />
                </Button>
              ),
          )}
        </div>
      )}
    </>
  );
}

/** Returns the search parameters of a range. Both days are today at first, and the reader can change them. */
function rangeOf(chosen: (typeof RANGES)[number]['value']): AuditSearch {
  const none = { range: undefined, from: undefined, to: undefined };
  if (chosen === 'month') return none;
  if (chosen !== 'days') return { ...none, range: chosen };
  const now = new Date();
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return { ...none, from: today.join('-'), to: today.join('-') };
}

const CLEARED = {
  outcome: undefined,
  action: undefined,
  actor: undefined,
  target: undefined,
  rule: undefined,
  request: undefined,
  q: undefined,
} as const;
