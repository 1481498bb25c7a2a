import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../text/en.ts';
import { cx } from './cx.ts';
import styles from './layout.module.css';

/**
 * The page whose heading had the focus last. On the first page of a visit, the focus stays where the browser
 * puts it; that page may differ from the address that was opened, as after a sign-in.
 */
let focusedPath: string | undefined;

interface PageProps {
  /** The window's title; never untrusted text */
  readonly title: string;
  /** The heading, if it differs from the title */
  readonly heading?: ReactNode;
  /** Details below the heading: an id, a status */
  readonly meta?: ReactNode;
  /** Buttons at the right, the primary action last */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: it sets the window's title and moves the focus to its heading, so that screen readers read it. */
export function Page({ title, heading, meta, actions, children }: PageProps) {
  const h1 = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t.shell.windowTitle(title);
    const path = window.location.pathname;
    const before = focusedPath;
    focusedPath = path;
    if (before !== undefined && before !== path) h1.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.titles}>
          <h1 ref={h1} tabIndex={-1}>
            {heading ?? title}
          </h1>
          {meta && <div className={styles.meta}>{meta}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

interface SectionProps {
  readonly title?: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** True to draw no surface, because the content has its own */
  readonly bare?: boolean;
}

export function Section({ title, description, actions, children, bare }: SectionProps) {
  return (
    <section className={cx(styles.section, !bare && styles.surface)}>
      {(title || actions) && (
        <div className={styles.sectionHead}>
          <div>
            {title && <h2 className={styles.sectionTitle}>{title}</h2>}
            {description && <p className="muted">{description}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

export interface Fact {
  readonly term: string;
  readonly value: ReactNode;
}

/** Names and values of one thing. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ term, value }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A column of fields, and the buttons that send them. */
export const Stack = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.stack}>{children}</div>
);

/** A row of items, as long as there is room. */
export const Row = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.row}>{children}</div>
);
