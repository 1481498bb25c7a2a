import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/layout.tsx';
import { Settled } from '../../design/settled.tsx';
import { Name } from '../../design/untrusted.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { Accounts } from './accounts.tsx';
import { Clients } from './clients.tsx';
import { InMyName } from './in-my-name.tsx';
import { Preferences } from './preferences.tsx';
import {
  accountsQuery,
  clientsQuery,
  consoleSessionsQuery,
  hubSessionsQuery,
  myActionsQuery,
} from './queries.ts';
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
  const { user, organization, role, scopes } = useSession();
  const queries = [
    useQuery(consoleSessionsQuery),
    useQuery(hubSessionsQuery),
    useQuery(accountsQuery(0)),
    useQuery(clientsQuery),
    useQuery({ ...myActionsQuery(user.id), enabled: scopes.includes('audit:read') }),
  ];
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
      <Settled queries={queries}>
        {returned !== undefined && accounts}
        <Sessions />
        {returned === undefined && accounts}
        <Clients />
        <InMyName />
        <Preferences />
      </Settled>
      {leaving && <SignOutEverywhere onClose={() => setLeaving(false)} />}
    </Page>
  );
}
