import { useNavigate } from '@tanstack/react-router';
import { LogOut, Monitor, Moon, Search, Sun, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../design/button.tsx';
import { Menu } from '../design/menu.tsx';
import { Name } from '../design/untrusted.tsx';
import { setPreference, usePreference } from '../session/preferences.ts';
import { useConfig, useSession } from '../session/session.tsx';
import { signOut } from '../session/sign-out.ts';
import { t } from '../text/en.ts';
import { OrganizationIcon } from './navigation.ts';
import styles from './top-bar.module.css';

interface TopBarProps {
  /** Opens the navigation on phones */
  readonly sheet: ReactNode;
  onSearch(): void;
}

export function TopBar({ sheet, onSearch }: TopBarProps) {
  const { organization } = useSession();
  const { environment } = useConfig();
  return (
    <header className={styles.bar}>
      {sheet}
      <div className={styles.organization}>
        <OrganizationIcon aria-hidden size={18} />
        <span className={styles.name}>{organization && <Name text={organization.name} />}</span>
        {environment && <span className={styles.environment}>{environment}</span>}
      </div>
      <button type="button" className={styles.search} onClick={onSearch}>
        <Search aria-hidden size={16} />
        <span>{t.shell.search}</span>
        <kbd>{t.shell.searchKeys}</kbd>
      </button>
      <div className={styles.end}>
        <ThemeMenu />
        <ReaderMenu />
      </div>
    </header>
  );
}

function ThemeMenu() {
  const theme = usePreference('theme');
  const icon = theme === 'dark' ? Moon : theme === 'light' ? Sun : Monitor;
  const choose = (value: string | undefined) => () => setPreference('theme', value);
  return (
    <Menu
      label={t.shell.theme}
      trigger={(props) => <IconButton {...props} icon={icon} label={t.shell.theme} />}
      items={[
        { label: t.shell.themeLight, icon: Sun, onSelect: choose('light') },
        { label: t.shell.themeDark, icon: Moon, onSelect: choose('dark') },
        { label: t.shell.themeSystem, icon: Monitor, onSelect: choose(undefined) },
      ]}
    />
  );
}

function ReaderMenu() {
  const { user, organization, role } = useSession();
  const navigate = useNavigate();
  const name = user.name ?? user.email ?? user.id;
  return (
    <Menu
      label={t.shell.reader}
      trigger={(props) => (
        <button {...props} type="button" className={styles.reader}>
          <span aria-hidden className={styles.avatar}>
            <UserRound size={16} />
          </span>
          <span className={styles.readerName}>
            <Name text={name} />
          </span>
          <span className="visually-hidden">{t.shell.readerMenu}</span>
        </button>
      )}
      header={
        <>
          <div>{user.email}</div>
          {organization && role && <div>{t.shell.roleIn(t.roles[role], organization.name)}</div>}
        </>
      }
      items={[
        { label: t.shell.pages.me, icon: UserRound, onSelect: () => void navigate({ to: '/me' }) },
        { label: t.shell.signOut, icon: LogOut, onSelect: () => void signOut() },
      ]}
    />
  );
}
