import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hub } from '../../api/client.ts';
import type { ConnectedAccount } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Section } from '../../design/layout.tsx';
import { Notice, Problem } from '../../design/states.tsx';
import { Status } from '../../design/status.tsx';
import { DataTable } from '../../design/table.tsx';
import { TableSkeleton } from '../../design/table-skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { Name, Revealed } from '../../design/untrusted.tsx';
import { Paged, usePage } from '../../lists/paged.tsx';
import { t } from '../../text/en.ts';
import { useConnectAccount } from '../connectors/use-connect-account.ts';
import { ConfirmEnding } from './confirm-ending.tsx';
import { accountsQuery } from './queries.ts';
import type { Return } from './return.ts';

interface AccountsProps {
  /** The outcome of connecting an account, for a reader who has just been redirected back */
  readonly returned: Return['connected'];
}

/** The reader's accounts at tool servers that do not trust the organization's identity provider. */
export function Accounts({ returned }: AccountsProps) {
  const page = usePage();
  const accounts = useQuery(accountsQuery(page.offset));
  const [leaving, setLeaving] = useState<ConnectedAccount>();
  return (
    <Section bare title={t.me.accounts} description={t.me.accountsText}>
      {returned !== undefined && (
        <Notice tone={returned === 'yes' ? 'neutral' : 'warning'}>{t.me.returned[returned]}</Notice>
      )}
      <Paged query={accounts} page={page} loading={<TableSkeleton rows={1} />}>
        {(data) =>
          data.length === 0 ? (
            <p className="muted">{t.me.accountsNone}</p>
          ) : (
            <DataTable
              label={t.me.accounts}
              rows={data}
              keyOf={({ connector_id }) => connector_id}
              columns={[
                { header: t.me.toolServer, cell: ({ name }) => <Name text={name} /> },
                { header: t.me.address, cell: ({ resource }) => <Revealed text={resource} /> },
                { header: t.me.status, cell: ({ connected }) => <Connected connected={connected} /> },
                {
                  header: t.me.scopes,
                  cell: ({ scopes }) => (scopes.length === 0 ? NONE : <code>{scopes.join(' ')}</code>),
                },
                {
                  header: t.me.until,
                  cell: ({ expires_at: at }) => (at === null ? NONE : <Time at={at} as="full" />),
                },
                {
                  header: t.common.more,
                  hideHeader: true,
                  narrow: true,
                  cell: (account) => <Actions account={account} onDisconnect={() => setLeaving(account)} />,
                },
              ]}
            />
          )
        }
      </Paged>
      {leaving && (
        <ConfirmEnding
          title={t.me.disconnectTitle}
          subject={{ name: leaving.name, address: leaving.resource, id: leaving.connector_id }}
          button={t.me.disconnect}
          done={t.me.disconnected}
          path={hub(`/connectors/${encodeURIComponent(leaving.connector_id)}/connections`)}
          onClose={() => setLeaving(undefined)}
        >
          {t.me.disconnectText}
        </ConfirmEnding>
      )}
    </Section>
  );
}

const Connected = ({ connected }: Pick<ConnectedAccount, 'connected'>) => (
  <Status tone={connected ? 'allowed' : 'waiting'}>{connected ? t.me.connected : t.me.notConnected}</Status>
);

interface ActionsProps {
  readonly account: ConnectedAccount;
  onDisconnect(): void;
}

function Actions({ account: { connector_id: id, connected }, onDisconnect }: ActionsProps) {
  const connect = useConnectAccount(id);
  if (connected)
    return (
      <Button variant="quiet" onClick={onDisconnect}>
        {t.me.disconnect}
      </Button>
    );
  return (
    <div>
      <Button variant="quiet" busy={connect.isPending} onClick={() => connect.mutate()}>
        {t.me.connect}
      </Button>
      {connect.error && <Problem problem={connect.error} />}
    </div>
  );
}

const NONE = <span className="muted">{t.common.none}</span>;
