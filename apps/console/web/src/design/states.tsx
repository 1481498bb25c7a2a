import { CircleX, Inbox, Info, type LucideIcon, ShieldAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiProblem, hasCode } from '../api/problem.ts';
import { list } from '../intl/format.ts';
import { t } from '../text/en.ts';
import { safeHref } from '../untrusted/safe-href.ts';
import { Button } from './button.tsx';
import { CopyId } from './copy.tsx';
import { cx } from './cx.ts';
import styles from './states.module.css';
import { Revealed } from './untrusted.tsx';

interface EmptyProps {
  /** One sentence about what appears here */
  readonly children: ReactNode;
  readonly icon?: LucideIcon;
  /** The primary action */
  readonly action?: ReactNode;
  readonly docs?: string | undefined;
}

export function Empty({ children, icon: Icon = Inbox, action, docs }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Icon aria-hidden size={28} strokeWidth={1.5} />
      <p>{children}</p>
      {action}
      {docs && (
        <a href={docs} target="_blank" rel="noreferrer">
          {t.common.readDocs}
        </a>
      )}
    </div>
  );
}

/** A message for a filter without results. */
export function NothingMatches({ onClear }: { onClear(): void }) {
  return (
    <Empty action={<Button onClick={onClear}>{t.common.clearFilters}</Button>}>
      {t.common.nothingMatches}
    </Empty>
  );
}

interface ProblemProps {
  readonly problem: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Reads the resource again if somebody else has changed it in the meantime */
  readonly onReload?: (() => void) | undefined;
  /** True to omit the details that are shown at fields */
  readonly withoutErrors?: boolean;
}

/** The error, in the words of the service that returned it; the other parts of the page stay usable. */
export function Problem({ problem, onRetry, onReload, withoutErrors }: ProblemProps) {
  const known = problem instanceof ApiProblem ? problem : undefined;
  const scope = known?.requiredScope;
  if (scope) return <Forbidden scope={scope} />;
  if (onReload && hasCode(problem, 'version_mismatch')) return <ChangedMeanwhile onReload={onReload} />;
  return (
    <div className={cx(styles.notice, styles.refused)} role="alert">
      <CircleX aria-hidden size={20} />
      <div className={styles.words}>
        <p className={styles.title}>
          <Revealed text={known?.title ?? t.problem.unexpected} />
        </p>
        {known?.detail && (
          <p>
            <Revealed text={known.detail} />
          </p>
        )}
        {!withoutErrors &&
          known?.errors.map(({ pointer, detail }) => (
            <p key={`${pointer} ${detail}`}>
              {pointer && <code>{pointer}</code>} <Revealed text={detail} />
            </p>
          ))}
        {known && (
          <p className={styles.codes}>
            <Code problem={known} />
            {known.requestId && <CopyId id={known.requestId} />}
          </p>
        )}
        {onRetry && known?.status !== 404 && (
          <Retry key={known?.requestId} after={known?.retryAfter} onRetry={onRetry} />
        )}
      </div>
    </div>
  );
}

/** The code of a problem, linked to the page of the service that explains it. */
function Code({ problem: { code, document } }: { readonly problem: ApiProblem }) {
  const page = typeof document.type === 'string' ? safeHref(document.type) : undefined;
  if (page === undefined) return <code>{code}</code>;
  return (
    <a href={page.href} target="_blank" rel="noreferrer">
      <code>{code}</code>
    </a>
  );
}

/** Offers to load the resource again, so that the reader sees what another person has saved before overwriting it. */
function ChangedMeanwhile({ onReload }: { onReload(): void }) {
  return (
    <div className={cx(styles.notice, styles.warning)} role="alert">
      <ShieldAlert aria-hidden size={20} />
      <div className={styles.words}>
        <p className={styles.title}>{t.problem.changedMeanwhile}</p>
        <p>{t.problem.changedMeanwhileText}</p>
        <Button onClick={onReload}>{t.problem.loadAgain}</Button>
      </div>
    </div>
  );
}

/** *Try again*, enabled after the time that the service requires. */
function Retry({ after, onRetry }: { readonly after: number | undefined; onRetry(): void }) {
  const [left, setLeft] = useState(after ?? 0);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <Button onClick={onRetry} unavailable={left > 0 ? t.problem.waitFor(left) : undefined}>
      {left > 0 ? t.problem.tryAgainIn(left) : t.problem.tryAgain}
    </Button>
  );
}

/** States which scope a page needs, and which roles have it. */
export function Forbidden({ scope, asRole }: { readonly scope: string; readonly asRole?: string | null }) {
  return (
    <div className={cx(styles.notice, styles.warning)}>
      <ShieldAlert aria-hidden size={20} />
      <div className={styles.words}>
        <p className={styles.title}>{t.problem.forbidden(asRole ?? undefined)}</p>
        <p>
          {t.problem.takes} <code>{scope}</code>
          {t.problem.had(list(t.roles.having(scope)))}
        </p>
      </div>
    </div>
  );
}

interface NoticeProps {
  readonly tone?: 'neutral' | 'warning';
  readonly title?: ReactNode;
  readonly children?: ReactNode;
}

/** A note on a page. */
export function Notice({ tone = 'neutral', title, children }: NoticeProps) {
  return (
    <div className={cx(styles.notice, tone === 'warning' && styles.warning)}>
      {tone === 'warning' ? <ShieldAlert aria-hidden size={20} /> : <Info aria-hidden size={20} />}
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div>{children}</div>}
      </div>
    </div>
  );
}

/** A grey placeholder of a given height, shown after 150 ms. */
export function Skeleton({ height }: { readonly height: 'line' | 'block' | 'chart' | 'form' }) {
  return <div role="status" aria-label={t.common.loading} className={cx(styles.skeleton, styles[height])} />;
}
