import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../text/en.ts';
import { Button } from './button.tsx';
import styles from './filter-bar.module.css';

/** Time without typing after which the server is asked. */
const PAUSE_MS = 300;

interface FilterBarProps {
  /** The accessible name of the search field: "Find a connector by name" */
  readonly searchLabel?: string;
  readonly search?: string | undefined;
  readonly onSearch?: (text: string) => void;
  /** True if any filter is set */
  readonly onClear?: (() => void) | undefined;
  /** Selects, each with a hidden label */
  readonly children?: ReactNode;
  /** Content at the right, such as the count */
  readonly end?: ReactNode;
}

/** The search and filters above a table. Their values are in the URL, so that Back, reload and links keep them. */
export function FilterBar({ searchLabel, search = '', onSearch, onClear, children, end }: FilterBarProps) {
  return (
    <search className={styles.bar}>
      {onSearch && <SearchInput label={searchLabel ?? t.common.find} value={search} onSearch={onSearch} />}
      {children}
      {onClear && (
        <Button variant="quiet" onClick={onClear}>
          {t.common.clearFilters}
        </Button>
      )}
      {end && <div className={styles.end}>{end}</div>}
    </search>
  );
}

interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  onSearch(text: string): void;
}

function SearchInput({ label, value, onSearch }: SearchInputProps) {
  const [text, setText] = useState(value);
  const asked = useRef(value);
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setText(value); // the URL changed by Back, or by "Clear filters"
  }, [value]);
  useEffect(() => {
    if (text === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = text;
      onSearch(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return (
    <div className={styles.search}>
      <Search aria-hidden size={16} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        data-filter=""
        value={text}
        maxLength={100}
        onChange={(event) => setText(event.target.value)}
      />
      <kbd aria-hidden>{t.keyboard.slash}</kbd>
    </div>
  );
}
