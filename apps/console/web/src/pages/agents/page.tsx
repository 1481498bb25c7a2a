import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Bot, Plus } from 'lucide-react';
import { agentsQuery } from '../../api/queries.ts';
import type { AgentSummary } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/layout.tsx';
import { type Column, rowLink } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { Name } from '../../design/untrusted.tsx';
import { type Filter, List } from '../../lists/list.tsx';
import { useOpen } from '../../lists/use-open.ts';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { AddAgent } from './add-agent.tsx';
import { AgentStatus } from './agent-status.tsx';

export const page = createLazyRoute('/shell/agents')({ component: Agents });

const COLUMNS: readonly Column<AgentSummary>[] = [
  {
    header: t.agents.name,
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to="/agents/$agentId" params={{ agentId: id }} {...rowLink}>
        <Name text={name} />
      </Link>
    ),
  },
  { header: t.agents.description, cell: ({ description }) => description && <Name text={description} /> },
  { header: t.agents.status, cell: ({ status }) => <AgentStatus status={status} /> },
  { header: t.agents.changed, narrow: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
];
const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: t.agents.status,
    options: [
      { value: '', label: t.agents.anyStatus },
      ...(['active', 'draft', 'disabled'] as const).map((value) => ({
        value,
        label: t.agents.statuses[value],
      })),
    ],
  },
];

function Agents() {
  const filters = page.useSearch();
  const { search, status, sort = 'name', offset } = filters;
  const [adding, setAdding] = useOpen(filters, 'add');
  const right = useRight('agents:write');
  const list = useQuery(agentsQuery({ search, status, sort, offset }));
  const add = (
    <Button variant="primary" icon={Plus} unavailable={right.reason} onClick={() => setAdding(true)}>
      {t.agents.add}
    </Button>
  );
  return (
    <Page title={t.agents.title} actions={add}>
      <List
        label={t.agents.title}
        search={filters}
        query={list}
        columns={COLUMNS}
        find={t.agents.find}
        filters={FILTERS}
        sort="name"
        empty={{ icon: Bot, text: t.agents.empty, action: add }}
      />
      {adding && right.has && <AddAgent onClose={() => setAdding(false)} />}
    </Page>
  );
}
