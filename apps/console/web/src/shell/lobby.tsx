import { type ReactNode, useEffect } from 'react';
import { t } from '../text/en.ts';
import styles from './lobby.module.css';
import { Mark } from './mark.tsx';

interface LobbyProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** A page without navigation, shown before and after a session. */
export function Lobby({ title, children, action }: LobbyProps) {
  useEffect(() => {
    document.title = t.shell.windowTitle(title);
  }, [title]);
  return (
    <main className={styles.lobby}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <Mark size={28} />
          {t.shell.product}
        </div>
        <h1>{title}</h1>
        {children && <div className={styles.text}>{children}</div>}
        {action && <div className={styles.action}>{action}</div>}
      </div>
    </main>
  );
}
