import { createLazyRoute } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/layout.tsx';
import { Name } from '../../design/untrusted.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { Accounts } from './accounts.tsx';
import { Clients } from './clients.tsx';
import { InMyName } from './in-my-name.tsx';
import { Preferences } from './preferences.tsx';
import type { Return } from './return.ts';
import { Sessions } from './sessions.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

export const page = createLazyRoute('/shell/me')({ component: () => <Me returned={undefined} /> });

/** The page to which the hub returns the reader after they have, or have not, connected an account. */
export const accountsPage = createLazyRoute('/shell/me/accounts')({ component: Returned });

function Returned() {
  const { connected } = accountsPage.useSearch();
  return <Me returned={connected} />;
}

function Me({ returned }: { readonly returned: Return['connected'] }) {
  const { user, organization, role } = useSession();
  const [leaving, setLeaving] = useState(false);
  const accounts = <Accounts returned={returned} />;
  return (
    <Page
      title={t.shell.pages.me}
      heading={<Name text={user.name ?? user.email ?? user.id} />}
      meta={
        <>
          <span>{user.email}</span>
          {role && organization && <span>{t.shell.roleIn(t.roles[role], organization.name)}</span>}
        </>
      }
      actions={
        <Button variant="danger" icon={LogOut} onClick={() => setLeaving(true)}>
          {t.shell.signOutEverywhere}
        </Button>
      }
    >
      {returned !== undefined && accounts}
      <Sessions />
      {returned === undefined && accounts}
      <Clients />
      <InMyName />
      <Preferences />
      {leaving && <SignOutEverywhere onClose={() => setLeaving(false)} />}
    </Page>
  );
}
