import type { LucideIcon } from 'lucide-react';
import {
  type ButtonHTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react';
import { cx } from './cx.ts';
import styles from './menu.module.css';
import { placePopover } from './place.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly danger?: boolean;
  /** The reason why the item is disabled; shown below its label */
  readonly unavailable?: string | undefined;
  onSelect(): void;
}

/** Properties that the button of a menu must have */
export type TriggerProps = Pick<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'popoverTarget' | 'aria-haspopup' | 'aria-expanded' | 'id'
>;

interface MenuProps {
  trigger(props: TriggerProps): ReactElement;
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly header?: ReactNode;
}

/**
 * A menu in a native popover: the browser closes it on Escape or on a click elsewhere, and shows it above
 * everything else.
 */
export function Menu({ trigger, label, items, header }: MenuProps) {
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const opener = () => document.getElementById(`${id}-trigger`);

  function onToggle(isOpen: boolean) {
    setOpen(isOpen);
    const anchor = opener();
    if (!popup.current || !anchor) return;
    if (isOpen) {
      placePopover(popup.current, anchor, { align: 'end', gap: 4 });
      itemsOf(popup.current)[0]?.focus();
    } else if (document.activeElement === document.body) anchor.focus();
  }

  function choose({ unavailable, onSelect }: MenuItem) {
    if (unavailable !== undefined) return;
    popup.current?.hidePopover();
    opener()?.focus();
    onSelect();
  }

  return (
    <>
      {trigger({ id: `${id}-trigger`, popoverTarget: id, 'aria-haspopup': 'menu', 'aria-expanded': open })}
      <div
        ref={popup}
        id={id}
        popover="auto"
        className={styles.popup}
        onToggle={({ newState }) => onToggle(newState === 'open')}
      >
        {header && <div className={styles.header}>{header}</div>}
        <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={onMenuKey}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-disabled={item.unavailable !== undefined || undefined}
              className={cx(styles.item, item.danger && styles.danger)}
              onClick={() => choose(item)}
            >
              {item.icon && <item.icon aria-hidden size={16} />}
              <span>
                {item.label}
                {item.unavailable !== undefined && <span className={styles.reason}>{item.unavailable}</span>}
              </span>
            </button>
          ))}
        </div>
      </div>
    </>
  );
}

const itemsOf = (menu: Element): readonly HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('[role="menuitem"]'),
];

function onMenuKey(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsOf(event.currentTarget);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}
