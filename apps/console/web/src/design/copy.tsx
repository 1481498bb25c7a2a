import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../text/en.ts';
import { Button } from './button.tsx';
import styles from './copy.module.css';
import { cx } from './cx.ts';

const SHOWN_MS = 1500;

function useCopy(text: string): { readonly copied: boolean; copy(): void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return { copied, copy: () => void navigator.clipboard.writeText(text).then(() => setCopied(true)) };
}

/** An id, in monospace, copied by pressing it. */
export function CopyId({ id, className }: { readonly id: string; readonly className?: string }) {
  const { copied, copy } = useCopy(id);
  const Icon = copied ? Check : Copy;
  return (
    <button type="button" className={cx(styles.id, className)} title={t.common.copyId(id)} onClick={copy}>
      <code>{id}</code>
      <Icon aria-hidden size={14} />
      <span className="visually-hidden" aria-live="polite">
        {copied ? t.common.copied : t.common.copy}
      </span>
    </button>
  );
}

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <Button variant="quiet" icon={copied ? Check : Copy} onClick={copy}>
      <span aria-live="polite">{copied ? t.common.copied : (label ?? t.common.copy)}</span>
    </Button>
  );
}

/** Text to be copied and pasted elsewhere. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.caption}>
        <span>{label}</span>
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section className={styles.pre} tabIndex={0} aria-label={label}>
        <pre>{code}</pre>
      </section>
    </figure>
  );
}
