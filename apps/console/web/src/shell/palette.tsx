import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Fragment, type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { cx } from '../design/cx.ts';
import { Name } from '../design/untrusted.tsx';
import { t } from '../text/en.ts';
import styles from './palette.module.css';
import { type PaletteEntry, usePaletteEntries } from './palette-entries.ts';

interface PaletteProps {
  onClose(): void;
  onHelp(): void;
}

/** Opens any page or resource, and runs any action that the reader may take, by typing. */
export function Palette({ onClose, onHelp }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const entries = usePaletteEntries(useDeferredValue(text), onHelp);
  const navigate = useNavigate();
  const listId = useId();
  const at = Math.min(chosen, Math.max(0, entries.length - 1));
  useEffect(() => dialog.current?.showModal(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever another entry is chosen
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, entries]);

  function run({ to, run: act }: PaletteEntry) {
    onClose();
    if (to !== undefined) void navigate({ href: to });
    act?.();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((at + step + entries.length) % Math.max(1, entries.length));
    }
    const entry = entries[at];
    if (event.key === 'Enter' && entry && !event.nativeEvent.isComposing) run(entry);
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it, as Escape does
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={t.shell.palette}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.input}>
        <Search aria-hidden size={18} />
        <input
          role="combobox"
          aria-label={t.shell.palette}
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={entries.length > 0 ? `${listId}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={t.shell.search}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id={listId} role="listbox" aria-label={t.shell.palette} className={styles.list}>
        {entries.map((entry, index) => (
          <Fragment key={entry.key}>
            {entries[index - 1]?.group !== entry.group && (
              <div role="presentation" className={styles.group}>
                {entry.group}
              </div>
            )}
            <Choice
              entry={entry}
              id={`${listId}-${index}`}
              selected={index === at}
              onRun={() => run(entry)}
            />
          </Fragment>
        ))}
      </div>
      {entries.length === 0 && <p className={styles.empty}>{t.shell.paletteEmpty}</p>}
    </dialog>
  );
}

interface ChoiceProps {
  readonly entry: PaletteEntry;
  readonly id: string;
  readonly selected: boolean;
  onRun(): void;
}

function Choice({ entry: { icon: Icon, label }, id, selected, onRun }: ChoiceProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
    <div
      id={id}
      role="option"
      aria-selected={selected}
      className={cx(styles.entry, selected && styles.selected)}
      onClick={onRun}
    >
      <Icon aria-hidden size={16} />
      <Name text={label} />
    </div>
  );
}
