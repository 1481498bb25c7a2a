import { CircleCheck, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { t } from '../text/en.ts';
import { Button, IconButton } from './button.tsx';
import styles from './toast.module.css';
import { createToastQueue, type ToastMessage } from './toast-queue.ts';

const SHOWN_MS = 6000;
const queue = createToastQueue();

/** Reports for 6 seconds that an action has succeeded. Errors are shown where they happened instead. */
export const toast = (title: string, action?: ToastMessage['action']): void => queue.add(title, action);

/** The container of the messages; used once, beside the router. */
export function Toasts() {
  const messages = useSyncExternalStore(queue.subscribe, queue.current);
  return (
    <section aria-label={t.common.messages} aria-live="polite" className={styles.viewport}>
      {messages.map((message) => (
        <Toast key={message.id} message={message} />
      ))}
    </section>
  );
}

function Toast({ message: { id, title, action } }: { readonly message: ToastMessage }) {
  const [paused, setPaused] = useState(false);
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(() => queue.remove(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [paused, id]);
  const pause = () => setPaused(true);
  const resume = () => setPaused(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only keep the message open
    <div className={styles.toast} onMouseEnter={pause} onMouseLeave={resume} onFocus={pause} onBlur={resume}>
      <CircleCheck aria-hidden size={18} />
      <p className={styles.title}>{title}</p>
      {action && (
        <Button
          variant="quiet"
          onClick={() => {
            queue.remove(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon={X} label={t.common.close} onClick={() => queue.remove(id)} />
    </div>
  );
}
