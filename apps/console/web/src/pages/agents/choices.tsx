import type { ReactNode } from 'react';
import styles from './agents.module.css';

/** Checkboxes that belong together. */
export function Choices({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <fieldset className={styles.choices}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}
