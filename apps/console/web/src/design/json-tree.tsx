import { useState } from 'react';
import { t } from '../text/en.ts';
import { cut, SHOWN } from '../untrusted/reveal.ts';
import { buttonClass } from './button.tsx';
import styles from './json-tree.module.css';
import { Revealed } from './untrusted.tsx';

/** Number of levels that are open at first, and of members shown at a time. */
const OPEN_TO = 2;
const AT_A_TIME = 200;

/**
 * Any JSON value, as a tree. Keys and strings are untrusted: they are shown as text, with hidden characters
 * written out.
 */
export function JsonTree({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <section className={styles.tree} aria-label={label}>
      <Node value={value} depth={0} />
    </section>
  );
}

interface NodeProps {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
}

function Node({ name, value, depth }: NodeProps) {
  const [open, setOpen] = useState(depth < OPEN_TO);
  const [shown, setShown] = useState(AT_A_TIME);
  const label = name !== undefined && (
    <>
      <span className={styles.key}>
        <Revealed text={cut(name, SHOWN).shown} />
      </span>
      {': '}
    </>
  );
  if (typeof value !== 'object' || value === null)
    return (
      <div className={styles.leaf}>
        {label}
        <Leaf value={value} />
      </div>
    );
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className={styles.branch}>
      <summary>
        {label}
        <span className={styles.size}>
          {isList ? t.json.items(members.length) : t.json.members(members.length)}
        </span>
      </summary>
      {open && (
        <div className={styles.members}>
          {members.slice(0, shown).map(([key, member]) => (
            <Node key={key} name={key} value={member} depth={depth + 1} />
          ))}
          {members.length > shown && (
            <button
              type="button"
              className={buttonClass('quiet')}
              onClick={() => setShown(shown + AT_A_TIME)}
            >
              {t.json.more(Math.min(AT_A_TIME, members.length - shown))}
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  const [all, setAll] = useState(false);
  if (typeof value !== 'string') return <span className={styles.literal}>{String(value)}</span>;
  const { shown, isCut } = cut(value, all ? 10_000 : SHOWN);
  return (
    <span className={styles.string} dir="auto">
      {'"'}
      <Revealed text={shown} />
      {isCut ? t.common.ellipsis : '"'}
      {isCut && !all && (
        <button type="button" className={buttonClass('quiet')} onClick={() => setAll(true)}>
          {t.untrusted.showAll}
        </button>
      )}
    </span>
  );
}
