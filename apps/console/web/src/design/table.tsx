import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './table.module.css';

export interface Column<Row> {
  readonly header: string;
  /** Name of the column in the API, if the API can sort by it */
  readonly sort?: string;
  /** True for a number, which is aligned right */
  readonly numeric?: boolean;
  /** True to make the column no wider than its content */
  readonly narrow?: boolean;
  /** True to hide the header visually, for a column of menus; screen readers still read it */
  readonly hideHeader?: boolean;
  cell(row: Row): ReactNode;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  /** The sort order in the API's form: `name`, or `-name` for descending */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
  /** True while rows are fetched again; the last rows stay until then */
  readonly stale?: boolean;
}

/** Rows that the server has filtered, sorted and divided into pages. Below 720 px, each row is a card. */
export function DataTable<Row>({ label, columns, rows, keyOf, sort, onSort, stale }: TableProps<Row>) {
  return (
    <div className={styles.frame}>
      <table className={cx(styles.table, stale && styles.stale)} aria-busy={stale || undefined}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Header key={column.header} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td
                  key={column.header}
                  data-label={column.header}
                  className={cx(
                    column.numeric && styles.numeric,
                    column.narrow && styles.narrow,
                    column.hideHeader && styles.actions,
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeaderProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

function Header<Row>({ column, sort, onSort }: HeaderProps<Row>) {
  const { header, sort: by, numeric, narrow, hideHeader } = column;
  const name = cx(numeric && styles.numeric, narrow && styles.narrow);
  if (by === undefined || onSort === undefined)
    return (
      <th scope="col" className={name}>
        <span className={hideHeader ? 'visually-hidden' : undefined}>{header}</span>
      </th>
    );
  const direction = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined;
  const Icon = direction === 'descending' ? ArrowDown : ArrowUp;
  return (
    <th scope="col" className={name} aria-sort={direction}>
      <button
        type="button"
        className={cx(styles.sort, direction && styles.sorted)}
        onClick={() => onSort(direction === 'ascending' ? `-${by}` : by)}
      >
        {header}
        <Icon aria-hidden size={14} />
      </button>
    </th>
  );
}

/** Properties of the link that opens a row's subject: the whole row is clickable, and `j` and `k` move between such links. */
export const rowLink = { className: styles.link, 'data-row-link': '' } as const;
