import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../design/button.tsx';
import { cx } from '../design/cx.ts';
import type { Command } from '../keyboard/keys.ts';
import { focusFilter, moveRow, PAUSE_EVENT, useKeys } from '../keyboard/use-keys.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../text/en.ts';
import { Ended } from './ended.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { Mark } from './mark.tsx';
import { ME, NAVIGATION, type NavigationEntry } from './navigation.ts';
import { Palette } from './palette.tsx';
import styles from './shell.module.css';
import { TopBar } from './top-bar.tsx';

/** The parts around every page: navigation, top bar, palette, keyboard. */
export function Shell() {
  const [open, setOpen] = useState<'palette' | 'help' | undefined>();
  const navigate = useNavigate();
  useKeys((command: Command) => {
    if (command.kind === 'palette') setOpen(open === 'palette' ? undefined : 'palette');
    else if (command.kind === 'help') setOpen('help');
    else if (command.kind === 'filter') focusFilter();
    else if (command.kind === 'next') moveRow(1);
    else if (command.kind === 'previous') moveRow(-1);
    else if (command.kind === 'pause') document.dispatchEvent(new Event(PAUSE_EVENT));
    else if (command.kind === 'go') void navigate({ to: command.to });
  });
  const close = () => setOpen(undefined);
  return (
    <>
      <a href="#content" className={styles.skip}>
        {t.shell.skip}
      </a>
      <div className={styles.frame}>
        <aside className={styles.side}>
          <Link to="/" className={styles.brand}>
            <Mark size={22} />
            {t.shell.product}
          </Link>
          <Navigation />
        </aside>
        <TopBar sheet={<Sheet />} onSearch={() => setOpen('palette')} />
        <main id="content" tabIndex={-1} className={styles.content}>
          <Outlet />
        </main>
      </div>
      {open === 'palette' && <Palette onClose={close} onHelp={() => setOpen('help')} />}
      {open === 'help' && <KeyboardHelp onClose={close} />}
      <Ended />
    </>
  );
}

function Navigation() {
  const { scopes } = useSession();
  const entries = NAVIGATION.filter(({ scope }) => scope === undefined || scopes.includes(scope));
  return (
    <nav aria-label={t.shell.navigation} className={styles.navigation}>
      <ul>
        {entries.map((entry) => (
          <Entry key={entry.to} entry={entry} />
        ))}
      </ul>
      <ul className={styles.own}>
        <Entry entry={ME} />
      </ul>
    </nav>
  );
}

function Entry({ entry: { to, label, icon: Icon } }: { readonly entry: NavigationEntry }) {
  return (
    <li>
      <Link
        to={to}
        className={styles.entry}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        activeProps={{ className: cx(styles.entry, styles.current) }}
      >
        <Icon aria-hidden size={18} />
        {label}
      </Link>
    </li>
  );
}

/** The navigation on phones: a native dialog at the left. */
function Sheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes whenever a page was chosen
  useEffect(() => dialog.current?.close(), [path]);
  return (
    <>
      <span className={styles.opener}>
        <IconButton
          icon={MenuIcon}
          label={t.shell.openNavigation}
          onClick={() => dialog.current?.showModal()}
        />
      </span>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it, as Escape does */}
      <dialog
        ref={dialog}
        className={styles.sheet}
        aria-label={t.shell.navigation}
        onClick={(event) => {
          if (event.target === dialog.current) dialog.current.close();
        }}
      >
        <div className={styles.brand}>
          <Mark size={22} />
          {t.shell.product}
        </div>
        <Navigation />
      </dialog>
    </>
  );
}
