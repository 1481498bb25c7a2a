import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hub } from '../../api/client.ts';
import type { AllowedClient } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Section } from '../../design/layout.tsx';
import { Listed } from '../../design/listed.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { DataTable } from '../../design/table.tsx';
import { TableSkeleton } from '../../design/table-skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { Name } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import { ConfirmEnding } from './confirm-ending.tsx';
import { clientsQuery } from './queries.ts';

/** MCP clients that act as the reader. They choose their names themselves, so the id is shown below. */
export function Clients() {
  const clients = useQuery(clientsQuery);
  const [leaving, setLeaving] = useState<AllowedClient>();
  return (
    <Section bare title={t.me.clients} description={t.me.clientsText}>
      <Loaded query={clients} loading={<TableSkeleton rows={1} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">{t.me.clientsNone}</p>
          ) : (
            <DataTable
              label={t.me.clients}
              rows={data}
              keyOf={({ client_id }) => client_id}
              columns={[
                { header: t.me.client, cell: (client) => <ClientName client={client} /> },
                { header: t.me.sessions, cell: ({ sessions }) => t.me.sessionsOf(sessions) },
                { header: t.me.allowed, cell: ({ allowed_at: at }) => <Time at={at} /> },
                { header: t.me.until, cell: ({ expires_at: at }) => <Time at={at} as="full" /> },
                {
                  header: t.common.more,
                  hideHeader: true,
                  narrow: true,
                  cell: (client) => (
                    <Button variant="quiet" onClick={() => setLeaving(client)}>
                      {t.me.remove}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <Listed query={clients} />
      {leaving && (
        <ConfirmEnding
          title={t.me.removeTitle}
          subject={{ name: leaving.name ?? leaving.client_id, id: leaving.client_id }}
          button={t.me.remove}
          done={t.me.removed}
          path={hub(`/clients/${encodeURIComponent(leaving.client_id)}`)}
          onClose={() => setLeaving(undefined)}
        >
          {t.me.removeText}
        </ConfirmEnding>
      )}
    </Section>
  );
}

function ClientName({ client: { name, client_id: id } }: { readonly client: AllowedClient }) {
  return (
    <div>
      {name !== null && (
        <div>
          <Name text={name} />
        </div>
      )}
      <code className={name === null ? undefined : 'muted'}>
        <Name text={id} />
      </code>
    </div>
  );
}
