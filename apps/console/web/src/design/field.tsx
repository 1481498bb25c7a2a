import { CircleX } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { t } from '../text/en.ts';
import { cx } from './cx.ts';
import styles from './field.module.css';

/** Properties that the control of a field must have */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly required: boolean | undefined;
}

export interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly required?: boolean | undefined;
  /** True to hide the label visually, as in a filter bar; screen readers still read it */
  readonly hideLabel?: boolean | undefined;
}

interface Props extends FieldProps {
  control(props: ControlProps): ReactNode;
}

/** A label, its control, a hint and the error of the value. */
export function Field({ label, hint, error, required, hideLabel, control }: Props) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  );
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={cx(styles.label, hideLabel && 'visually-hidden')}>
        {label}
        {required === false && <span className={styles.optional}>{t.common.optional}</span>}
      </label>
      {control({
        id,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-invalid': error === undefined ? undefined : true,
        required: required || undefined,
      })}
      {hint !== undefined && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
      {error !== undefined && (
        <div id={`${id}-error`} className={styles.error} role="alert">
          <CircleX aria-hidden size={16} />
          <span>{error}</span>
        </div>
      )}
    </div>
  );
}
