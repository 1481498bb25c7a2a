import { type ComponentProps, type ReactNode, useId } from 'react';
import type { FieldBinding } from '../forms/use-form.ts';
import { t } from '../text/en.ts';
import { cx } from './cx.ts';
import styles from './field.module.css';
import { Field, type FieldProps } from './field.tsx';

type Bound<T> = FieldProps & Omit<FieldBinding<T>, 'error' | 'hint'>;

interface TextProps extends Bound<string> {
  readonly placeholder?: string;
  readonly type?: 'text' | 'url' | 'email' | 'search' | 'number' | 'datetime-local' | 'date';
  readonly mono?: boolean;
  readonly onBlur?: () => void;
  readonly inputProps?: ComponentProps<'input'>;
}

export function TextField({
  name,
  value,
  onChange,
  placeholder,
  type,
  mono,
  onBlur,
  inputProps,
  ...field
}: TextProps) {
  return (
    <Field
      {...field}
      control={(control) => (
        <input
          autoComplete="off"
          spellCheck={false}
          {...inputProps}
          {...control}
          onKeyDown={(event) => {
            inputProps?.onKeyDown?.(event);
            if (type === 'search' && event.key === 'Enter') event.preventDefault(); // a search sends no form
          }}
          className={cx(styles.control, mono && styles.mono)}
          name={name}
          type={type ?? 'text'}
          value={value}
          placeholder={placeholder}
          onBlur={onBlur}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    />
  );
}

interface AreaProps extends Bound<string> {
  readonly rows?: number;
  readonly mono?: boolean;
  readonly placeholder?: string;
}

export function TextArea({ name, value, onChange, rows, mono, placeholder, ...field }: AreaProps) {
  return (
    <Field
      {...field}
      control={(control) => (
        <textarea
          {...control}
          className={cx(styles.control, mono && styles.mono)}
          name={name}
          rows={rows}
          spellCheck={!mono}
          value={value}
          placeholder={placeholder}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    />
  );
}

/** A write-only input: the stored value is never read or shown. Empty the input once it was sent. */
export function SecretField({ name, value, onChange, hint, ...field }: Bound<string>) {
  return (
    <Field
      {...field}
      hint={hint ?? t.common.writeOnly}
      control={(control) => (
        <input
          {...control}
          className={cx(styles.control, styles.mono)}
          name={name}
          type="password"
          autoComplete="new-password"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    />
  );
}

export interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
  /** Heading under which the option stands, below those without a heading */
  readonly group?: string;
}

interface SelectProps<V extends string> extends Omit<Bound<V>, 'onChange'> {
  onChange(value: NoInfer<V>): void;
  readonly options: readonly Option<V>[];
  /** True for the smaller size, used in filter bars and table rows */
  readonly small?: boolean;
  readonly disabled?: boolean;
}

/** The browser's own `<select>`: it works by keyboard and on phones, without JavaScript of ours. */
export function Select<V extends string>({
  name,
  value,
  onChange,
  options,
  small,
  disabled,
  ...field
}: SelectProps<V>) {
  return (
    <Field
      {...field}
      control={(control) => (
        <select
          {...control}
          className={cx(styles.control, small && styles.small)}
          name={name}
          value={value}
          disabled={disabled}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.target.value);
            if (chosen) onChange(chosen.value);
          }}
        >
          {optionsOf(options, undefined)}
          {[...new Set(options.flatMap(({ group = [] }) => group))].map((group) => (
            <optgroup key={group} label={group}>
              {optionsOf(options, group)}
            </optgroup>
          ))}
        </select>
      )}
    />
  );
}

const optionsOf = (options: readonly Option<string>[], wanted: string | undefined) =>
  options
    .filter(({ group }) => group === wanted)
    .map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ));

interface CheckboxProps {
  readonly name?: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly value: boolean;
  readonly disabled?: boolean;
  onChange(value: boolean): void;
}

export function Checkbox({ name, label, hint, error, value, disabled, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        name={name}
        checked={value}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        aria-invalid={error === undefined ? undefined : true}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
      {error !== undefined && (
        <div className={styles.error} role="alert">
          {error}
        </div>
      )}
    </div>
  );
}
