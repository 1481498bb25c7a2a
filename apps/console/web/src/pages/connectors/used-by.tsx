import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { connectorAgentsQuery } from '../../api/queries.ts';
import { Section } from '../../design/layout.tsx';
import { Empty } from '../../design/states.tsx';
import { DataTable, rowLink } from '../../design/table.tsx';
import { TableSkeleton } from '../../design/table-skeleton.tsx';
import { Name, ToolLabels } from '../../design/untrusted.tsx';
import { Paged, usePage } from '../../lists/paged.tsx';
import { t } from '../../text/en.ts';

/** A list of the agents that may use the connector, with the tools that each may call. */
export function UsedBy({ connectorId }: { readonly connectorId: string }) {
  const page = usePage();
  const bound = useQuery(connectorAgentsQuery(connectorId, { offset: page.offset }));
  return (
    <Section bare description={t.connectors.usedByText} title={t.connectors.tabs.usedBy}>
      <Paged query={bound} page={page} loading={<TableSkeleton rows={2} />}>
        {(data) =>
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
                  cell: ({ agent_id, agent_name }) => (
                    <Link to="/agents/$agentId" params={{ agentId: agent_id }} {...rowLink}>
                      <Name text={agent_name} />
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
      </Paged>
    </Section>
  );
}
