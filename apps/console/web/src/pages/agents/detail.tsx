import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { Link2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import { hasCode } from '../../api/problem.ts';
import { agentConnectorsQuery, agentQuery, agentSitesQuery, sitesQuery } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { CopyId } from '../../design/copy.tsx';
import { Page, Section } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Dialog } from '../../design/modal.tsx';
import { Notice, Problem, Skeleton } from '../../design/states.tsx';
import { toast } from '../../design/toast.tsx';
import { Name } from '../../design/untrusted.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { About } from './about.tsx';
import { BindPanel } from './bind-panel.tsx';
import { Bindings } from './bindings.tsx';
import { EditAgent } from './edit-agent.tsx';
import { type ReadAgent, StatusMenu } from './status-menu.tsx';
import { UseIt } from './use-it.tsx';

export const page = createLazyRoute('/shell/agents/$agentId')({ component: OneAgent });

function OneAgent() {
  const { agentId } = page.useParams();
  const query = useQuery(agentQuery(agentId));
  const agent = query.data?.data;
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
          <>
            <Bindings agentId={agentId} />
            <About agent={read} onEdit={() => setEdited(read)} />
            <EmbeddedAt agentId={agentId} />
            <UseIt agent={read.data} />
          </>
        )}
      </Loaded>
      {open === 'bind' && <Bind agentId={agentId} onClose={close} />}
      {edited && (
        <EditAgent
          key={edited.etag}
          agent={edited}
          onClose={() => setEdited(undefined)}
          onReload={() => void query.refetch().then(({ data }) => setEdited(data))}
        />
      )}
      {open === 'delete' && <DeleteAgent agentId={agentId} onClose={close} />}
    </Page>
  );
}

/** Binds a further connector, in addition to those that the agent has. */
function Bind({ agentId, onClose }: { readonly agentId: string; onClose(): void }) {
  const bound = useQuery(agentConnectorsQuery(agentId));
  const ids = (bound.data?.data ?? []).map(({ connector_id }) => connector_id);
  return <BindPanel agentId={agentId} bound={ids} onClose={onClose} />;
}

function EmbeddedAt({ agentId }: { readonly agentId: string }) {
  const placed = useQuery(agentSitesQuery(agentId));
  const sites = useQuery({ ...sitesQuery({ limit: 100 }), enabled: (placed.data?.data.length ?? 0) > 0 });
  const names = new Map(sites.data?.data.map(({ id, name }) => [id, name]));
  return (
    <Section title={t.agents.embedded}>
      <Loaded query={placed} loading={<Skeleton height="line" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">{t.agents.embeddedNone}</p>
          ) : (
            <ul>
              {data.map(({ site_id: id, is_default }) => (
                <li key={id}>
                  <Link to="/sites/$siteId" params={{ siteId: id }}>
                    <Name text={names.get(id) ?? id} />
                  </Link>{' '}
                  {is_default && <span className="muted">{t.agents.byDefault}</span>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Asks twice before it deletes an agent that a site embeds; the second confirmation names the consequences. */
function DeleteAgent({ agentId, onClose }: { readonly agentId: string; onClose(): void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: (force: boolean) =>
      api.send(management(`/agents/${agentId}`), { method: 'DELETE', query: { force: force || undefined } }),
    onSuccess: async () => {
      // Leaves the page first, because it would request the deleted agent again.
      await navigate({ to: '/agents' });
      await client.invalidateQueries({ queryKey: ['api'] });
      const restore = async () => {
        await api.send(management(`/agents/${agentId}/restore`), { method: 'POST' });
        await client.invalidateQueries({ queryKey: ['api'] });
      };
      toast(t.agents.deleted, { label: t.common.undo, run: () => void restore() });
    },
  });
  const inUse = hasCode(remove.error, 'agent_in_use');
  return (
    <Dialog
      title={t.agents.deleteTitle}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate(inUse)}>
            {inUse ? t.agents.deleteAnyway : t.agents.delete}
          </Button>
        </>
      }
    >
      <p>{t.agents.deleteText}</p>
      <code>{agentId}</code>
      {inUse ? (
        <Notice tone="warning">{t.agents.inUse}</Notice>
      ) : (
        remove.error && <Problem problem={remove.error} />
      )}
    </Dialog>
  );
}
