import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { agentsQuery, connectorAgentsQuery } from '../../api/queries.ts';
import { Section } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Empty } from '../../design/states.tsx';
import { DataTable, rowLink } from '../../design/table.tsx';
import { TableSkeleton } from '../../design/table-skeleton.tsx';
import { Name, ToolLabels } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';

/** A list of the agents that may use the connector, with the tools that each may call. */
export function UsedBy({ connectorId }: { readonly connectorId: string }) {
  const bound = useQuery(connectorAgentsQuery(connectorId));
  const agents = useQuery({ ...agentsQuery({ limit: 100 }), enabled: (bound.data?.data.length ?? 0) > 0 });
  const names = new Map(agents.data?.data.map(({ id, name }) => [id, name]));
  return (
    <Section bare description={t.connectors.usedByText} title={t.connectors.tabs.usedBy}>
      <Loaded query={bound} loading={<TableSkeleton rows={2} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>{t.connectors.usedByNone}</Empty>
          ) : (
            <DataTable
              label={t.connectors.tabs.usedBy}
              rows={data}
              keyOf={({ agent_id }) => agent_id}
              columns={[
                {
                  header: t.connectors.agent,
                  cell: ({ agent_id }) => (
                    <Link to="/agents/$agentId" params={{ agentId: agent_id }} {...rowLink}>
                      <Name text={names.get(agent_id) ?? agent_id} />
                    </Link>
                  ),
                },
                {
                  header: t.connectors.tools,
                  cell: ({ tools }) =>
                    tools === null ? t.connectors.allTools : <ToolLabels names={tools} />,
                },
                {
                  header: t.connectors.scopes,
                  cell: ({ scopes }) =>
                    scopes === null ? t.connectors.noScopes : <code>{scopes.join(' ')}</code>,
                },
                { header: t.connectors.approval, cell: ({ approval }) => t.connectors.approvals[approval] },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
