import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ServiceAccount } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { CopyId } from '../../design/copy.tsx';
import { Facts, Page, Section } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Skeleton } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { Name, Revealed } from '../../design/untrusted.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { AccountMenu } from './account-menu.tsx';
import { AccountStatus } from './account-parts.tsx';
import { CreateKey } from './create-key.tsx';
import { Keys } from './keys.tsx';
import { accountQuery } from './queries.ts';

export const page = createLazyRoute('/shell/settings/accounts/$accountId')({ component: OneAccount });

function OneAccount() {
  const { accountId } = page.useParams();
  const search = page.useSearch();
  const query = useQuery(accountQuery(accountId));
  const account = query.data?.data;
  const right = useRight('credentials:write');
  const [creating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" icon={Plus} unavailable={right.reason} onClick={() => setCreating(true)}>
      {t.settings.addKey}
    </Button>
  );
  return (
    <Page
      title={t.settings.account}
      heading={account && <Name text={account.name} />}
      meta={
        <>
          {account && <AccountStatus status={account.status} />}
          <CopyId id={accountId} />
        </>
      }
      actions={
        <>
          {account && <AccountMenu account={account} />}
          {create}
        </>
      }
    >
      <Loaded query={query} loading={<Skeleton height="block" />}>
        {({ data }) => <About account={data} />}
      </Loaded>
      <Section bare title={t.settings.keys}>
        <Keys accountId={accountId} search={search} action={create} />
      </Section>
      {creating && account && <CreateKey account={account} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function About({ account: { role, description, client, created_by: by, created_at: at } }: AboutProps) {
  const none = <span className="muted">{t.common.none}</span>;
  return (
    <Section>
      <Facts
        facts={[
          { term: t.settings.role, value: t.roles[role] },
          {
            term: t.settings.description,
            value: description === null ? none : <Revealed text={description} />,
          },
          { term: t.settings.client, value: client === null ? none : <code>{client.subject}</code> },
          { term: t.settings.createdBy, value: by === null ? none : <Name text={by.name ?? by.id} /> },
          { term: t.settings.created, value: <Time at={at} as="full" /> },
        ]}
      />
    </Section>
  );
}

interface AboutProps {
  readonly account: ServiceAccount;
}
