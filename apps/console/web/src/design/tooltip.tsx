import { type ReactNode, useEffect, useRef } from 'react';
import { placePopover } from './place.ts';
import styles from './tooltip.module.css';

const DELAY_MS = 400;

/** A sentence beside a control, shown on hover and focus. Assistive technology gets the same text another way. */
export function Tooltip({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  const anchor = useRef<HTMLSpanElement>(null);
  const popup = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hide = () => {
    clearTimeout(timer.current);
    if (popup.current?.matches(':popover-open')) popup.current.hidePopover();
  };
  const show = () => {
    const target = anchor.current?.firstElementChild;
    if (!popup.current?.isConnected || !target || target.matches('[aria-expanded="true"]')) return;
    popup.current.showPopover();
    placePopover(popup.current, target, { align: 'center', gap: 6 });
  };
  const showSoon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(show, DELAY_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for events of the control inside
    <span
      ref={anchor}
      className={styles.anchor}
      onMouseEnter={showSoon}
      onMouseLeave={hide}
      onFocus={({ target }) => {
        if (target.matches(':focus-visible')) showSoon();
      }}
      onBlur={hide}
      onClick={hide}
      onKeyDown={({ key }) => {
        if (key === 'Escape') hide();
      }}
    >
      {children}
      <span ref={popup} popover="manual" aria-hidden className={styles.popup}>
        {text}
      </span>
    </span>
  );
}
