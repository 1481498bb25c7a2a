import { useEffect, useRef } from 'react';
import { singleKeys } from '../session/preferences.ts';
import { type Command, createKeyReader } from './keys.ts';

/** Runs a function for each keyboard command, as long as the component is mounted. */
export function useKeys(run: (command: Command) => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  }, [run]);
  useEffect(() => {
    const read = createKeyReader(singleKeys);
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const command = read({
        key: event.key,
        ctrlOrMeta: event.ctrlKey || event.metaKey,
        alt: event.altKey,
        typing: isField(event.target),
        at: event.timeStamp,
      });
      if (!command) return;
      // An open dialog handles the keyboard itself; the palette is such a dialog.
      if (command.kind !== 'palette' && document.querySelector('dialog[open]')) return;
      event.preventDefault();
      latest.current(command);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Event sent to the document when `p` is pressed; it pauses or resumes a live list. */
export const PAUSE_EVENT = 'console:pause';

/** Moves the focus among the rows of the page. */
export function moveRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row-link]')];
  const current = rows.indexOf(document.activeElement as HTMLElement);
  const next = current === -1 ? (by === 1 ? 0 : rows.length - 1) : current + by;
  rows[next]?.focus();
}

export const focusFilter = (): void => document.querySelector<HTMLElement>('[data-filter]')?.focus();
