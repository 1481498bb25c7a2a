import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Link2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { agentConnectorsQuery, agentQuery, agentSitesQuery } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { CopyId } from '../../design/copy.tsx';
import { Page, Section } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Settled } from '../../design/settled.tsx';
import { Skeleton } from '../../design/states.tsx';
import { Name } from '../../design/untrusted.tsx';
import { Paged, usePage } from '../../lists/paged.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { About } from './about.tsx';
import { BindPanel } from './bind-panel.tsx';
import { Bindings } from './bindings.tsx';
import { DeleteAgent } from './delete-agent.tsx';
import { EditAgent } from './edit-agent.tsx';
import { type ReadAgent, StatusMenu } from './status-menu.tsx';
import { UseIt } from './use-it.tsx';

export const page = createLazyRoute('/shell/agents/$agentId')({ component: OneAgent });

function OneAgent() {
  const { agentId } = page.useParams();
  const query = useQuery(agentQuery(agentId));
  const agent = query.data?.data;
  const bound = useQuery(agentConnectorsQuery(agentId, { offset: 0 }));
  const placed = useQuery(agentSitesQuery(agentId, { offset: 0 }));
  const right = useRight('agents:write');
  const [open, setOpen] = useState<'bind' | 'delete'>();
  const [edited, setEdited] = useState<ReadAgent>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title={t.agents.one}
      heading={agent && <Name text={agent.name} />}
      meta={
        <>
          {query.data && <StatusMenu agent={query.data} />}
          <CopyId id={agentId} />
        </>
      }
      actions={
        <>
          <Button icon={Trash2} variant="danger" unavailable={right.reason} onClick={() => setOpen('delete')}>
            {t.agents.delete}
          </Button>
          <Button icon={Link2} variant="primary" unavailable={right.reason} onClick={() => setOpen('bind')}>
            {t.agents.bind}
          </Button>
        </>
      }
    >
      <Loaded query={query} loading={<Skeleton height="block" />}>
        {(read) => (
          <Settled queries={[bound, placed]}>
            <Bindings agentId={agentId} />
            <About agent={read} onEdit={() => setEdited(read)} />
            <EmbeddedAt agentId={agentId} />
            <UseIt agent={read.data} />
          </Settled>
        )}
      </Loaded>
      {open === 'bind' && <Bind agentId={agentId} onClose={close} />}
      {edited && (
        <EditAgent
          agent={edited}
          onClose={() => setEdited(undefined)}
          onReload={() => void query.refetch().then(({ data }) => setEdited(data))}
        />
      )}
      {open === 'delete' && agent && <DeleteAgent agent={agent} onClose={close} />}
    </Page>
  );
}

/** Binds a further connector, in addition to those that the agent has. */
function Bind({ agentId, onClose }: { readonly agentId: string; onClose(): void }) {
  const bound = useQuery(agentConnectorsQuery(agentId, { limit: 100 }));
  const ids = (bound.data?.data ?? []).map(({ connector_id }) => connector_id);
  return <BindPanel agentId={agentId} bound={ids} onClose={onClose} />;
}

function EmbeddedAt({ agentId }: { readonly agentId: string }) {
  const page = usePage();
  const placed = useQuery(agentSitesQuery(agentId, { offset: page.offset }));
  return (
    <Section title={t.agents.embedded}>
      <Paged query={placed} page={page} loading={<Skeleton height="line" />}>
        {(data) =>
          data.length === 0 ? (
            <p className="muted">{t.agents.embeddedNone}</p>
          ) : (
            <ul>
              {data.map(({ site_id: id, site_name: name, is_default }) => (
                <li key={id}>
                  <Link to="/sites/$siteId" params={{ siteId: id }}>
                    <Name text={name} />
                  </Link>{' '}
                  {is_default && <span className="muted">{t.agents.byDefault}</span>}
                </li>
              ))}
            </ul>
          )
        }
      </Paged>
    </Section>
  );
}
