import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import { agentConnectorsQuery } from '../../api/queries.ts';
import type { AgentConnector } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Row, Section } from '../../design/layout.tsx';
import { Empty } from '../../design/states.tsx';
import { DataTable, rowLink } from '../../design/table.tsx';
import { TableSkeleton } from '../../design/table-skeleton.tsx';
import { toast } from '../../design/toast.tsx';
import { Name, ToolLabels } from '../../design/untrusted.tsx';
import { Paged, usePage } from '../../lists/paged.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { EditBinding } from './bind-panel.tsx';

/** A list of the agent's connectors, and which of their tools it may use. */
export function Bindings({ agentId }: { readonly agentId: string }) {
  const page = usePage();
  const bound = useQuery(agentConnectorsQuery(agentId, { offset: page.offset }));
  const [edited, setEdited] = useState<string>();
  return (
    <Section bare title={t.agents.bindings}>
      <Paged query={bound} page={page} loading={<TableSkeleton rows={2} />}>
        {(data) =>
          data.length === 0 ? (
            <Empty>{t.agents.bindingsNone}</Empty>
          ) : (
            <DataTable
              label={t.agents.bindings}
              rows={data}
              keyOf={({ connector_id }) => connector_id}
              columns={[
                {
                  header: t.agents.connector,
                  cell: ({ connector_id: id, connector_name: name }) => (
                    <Link to="/connectors/$connectorId" params={{ connectorId: id }} {...rowLink}>
                      <Name text={name} />
                    </Link>
                  ),
                },
                {
                  header: t.agents.tools,
                  cell: ({ tools }) => (tools === null ? t.agents.all : <ToolLabels names={tools} />),
                },
                {
                  header: t.agents.scopes,
                  cell: ({ scopes }) =>
                    scopes === null ? t.agents.asConnector : <code>{scopes.join(' ')}</code>,
                },
                { header: t.agents.approval, cell: ({ approval }) => t.agents.approvals[approval] },
                {
                  header: t.common.more,
                  hideHeader: true,
                  narrow: true,
                  cell: (binding) => (
                    <RowActions binding={binding} onEdit={() => setEdited(binding.connector_id)} />
                  ),
                },
              ]}
            />
          )
        }
      </Paged>
      {edited !== undefined && (
        <EditBinding agentId={agentId} connectorId={edited} onClose={() => setEdited(undefined)} />
      )}
    </Section>
  );
}

function RowActions({ binding, onEdit }: { readonly binding: AgentConnector; onEdit(): void }) {
  const client = useQueryClient();
  const right = useRight('agents:write');
  const path = management(`/agents/${binding.agent_id}/connectors/${binding.connector_id}`);
  const unbind = useMutation({
    mutationFn: () => api.send(path, { method: 'DELETE' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['api'] });
      toast(t.agents.unbound);
    },
  });
  return (
    <Row>
      <Button variant="quiet" unavailable={right.reason} onClick={onEdit}>
        {t.agents.edit}
      </Button>
      <Button
        variant="quiet"
        unavailable={right.reason}
        busy={unbind.isPending}
        onClick={() => unbind.mutate()}
      >
        {t.agents.unbind}
      </Button>
    </Row>
  );
}
