import { LoaderCircle, type LucideIcon } from 'lucide-react';
import { type ComponentProps, type MouseEvent, useId } from 'react';
import styles from './button.module.css';
import { cx } from './cx.ts';
import { Tooltip } from './tooltip.tsx';

export type ButtonVariant = 'primary' | 'plain' | 'danger' | 'quiet';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  /** `primary` at most once on a page */
  readonly variant?: ButtonVariant;
  readonly icon?: LucideIcon;
  /** The reason why the button is disabled. It stays reachable by keyboard, so that everybody can read the reason. */
  readonly unavailable?: string | undefined;
  readonly busy?: boolean;
}

export function Button({ variant = 'plain', icon: Icon, unavailable, busy, children, ...rest }: ButtonProps) {
  const reasonId = useId();
  const blocked = unavailable !== undefined || busy === true;
  const button = (
    <button
      type="button"
      {...rest}
      className={cx(buttonClass(variant), rest.className)}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      aria-describedby={unavailable === undefined ? rest['aria-describedby'] : reasonId}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        if (blocked) event.preventDefault();
        else rest.onClick?.(event);
      }}
    >
      {busy ? (
        <LoaderCircle aria-hidden size={16} className={styles.spinner} />
      ) : (
        Icon && <Icon aria-hidden size={16} />
      )}
      {children}
    </button>
  );
  if (unavailable === undefined) return button;
  return (
    <>
      <Tooltip text={unavailable}>{button}</Tooltip>
      <span id={reasonId} hidden>
        {unavailable}
      </span>
    </>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly icon: LucideIcon;
  /** The button's accessible name and tooltip */
  readonly label: string;
}

export function IconButton({ icon: Icon, label, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button type="button" {...rest} aria-label={label} className={cx(styles.icon, rest.className)}>
        <Icon aria-hidden size={18} />
      </button>
    </Tooltip>
  );
}

/** Returns the classes that make a link look like a button. */
export const buttonClass = (variant: ButtonVariant): string => cx(styles.button, styles[variant]);
