import { t } from '../text/en.ts';
import styles from './table-skeleton.module.css';

/** Grey rows of the final height, and the row of the headings, shown after 150 ms. */
export function TableSkeleton({ rows = 5 }: { readonly rows?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={t.common.loading}>
      {Array.from({ length: 1 + rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all rows are the same
        <div key={index} className={styles.row}>
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
