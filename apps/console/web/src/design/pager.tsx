import { ChevronLeft, ChevronRight } from 'lucide-react';
import { t } from '../text/en.ts';
import { IconButton } from './button.tsx';
import styles from './pager.module.css';

interface PagerProps {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  onOffset(offset: number): void;
}

/** Always shows the range and the total, so that readers see that there are more rows. */
export function Pager({ total, offset, limit, onOffset }: PagerProps) {
  const last = Math.min(total, offset + limit);
  return (
    <nav aria-label={t.table.pages} className={styles.pager}>
      <span aria-live="polite">{t.table.range(total === 0 ? 0 : offset + 1, last, total)}</span>
      {total > limit && (
        <>
          <IconButton
            icon={ChevronLeft}
            label={t.table.previous}
            disabled={offset === 0}
            onClick={() => onOffset(Math.max(0, offset - limit))}
          />
          <IconButton
            icon={ChevronRight}
            label={t.table.next}
            disabled={last >= total}
            onClick={() => onOffset(offset + limit)}
          />
        </>
      )}
    </nav>
  );
}
