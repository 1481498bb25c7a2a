import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '../text/en.ts';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import styles from './modal.module.css';

interface ModalProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
  onClose(): void;
}

/**
 * A `<dialog>`, open for as long as it is mounted. The browser keeps the focus inside and closes it on
 * Escape. When it closes, the focus returns to the element that had it before, or to the page if that element
 * is gone.
 */
function Modal({
  title,
  children,
  onClose,
  className,
  footer,
}: ModalProps & {
  readonly className: string | undefined;
  readonly footer?: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      const back = isThere ? opener : document.querySelector('main');
      back?.focus({ preventScroll: !isThere });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it, as Escape does
    <dialog
      ref={dialog}
      className={cx(styles.modal, className)}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.content}>
        <header className={styles.header}>
          <h2 id={titleId}>{title}</h2>
          <IconButton icon={X} label={t.common.close} onClick={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
        {footer && <footer className={styles.footer}>{footer}</footer>}
      </div>
    </dialog>
  );
}

/** A dialog at the right of a page, for details and forms. Full width on phones. */
export const Panel = (props: ModalProps & { readonly footer?: ReactNode }) => (
  <Modal {...props} className={styles.panel} />
);

/** A dialog in the middle of the page for one question. `footer`: its buttons, *Cancel* first. */
export const Dialog = (props: ModalProps & { readonly footer?: ReactNode }) => (
  <Modal {...props} className={styles.dialog} />
);
