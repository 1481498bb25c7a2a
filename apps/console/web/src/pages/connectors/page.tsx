import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Plug, Plus } from 'lucide-react';
import { connectorsQuery } from '../../api/queries.ts';
import type { Connector } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/layout.tsx';
import { type Column, rowLink } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { Name, Revealed } from '../../design/untrusted.tsx';
import { type Filter, List } from '../../lists/list.tsx';
import { useOpen } from '../../lists/use-open.ts';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { AddConnector } from './add-connector.tsx';
import { ConnectorStatus, shortAddress } from './connector-status.tsx';
import { methodOptions } from './methods.ts';
import { RowMenu } from './row-menu.tsx';

export const page = createLazyRoute('/shell/connectors')({ component: Connectors });

const COLUMNS: readonly Column<Connector>[] = [
  {
    header: t.connectors.name,
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to="/connectors/$connectorId" params={{ connectorId: id }} {...rowLink}>
        <Name text={name} />
      </Link>
    ),
  },
  {
    header: t.connectors.address,
    cell: ({ resource_url }) => <Revealed text={shortAddress(resource_url)} />,
  },
  { header: t.connectors.method, cell: ({ auth_method }) => t.connectors.methods[auth_method] },
  { header: t.connectors.status, cell: (connector) => <ConnectorStatus connector={connector} /> },
  { header: t.connectors.changed, narrow: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
  {
    header: t.common.more,
    hideHeader: true,
    narrow: true,
    cell: (connector) => <RowMenu connector={connector} />,
  },
];

const FILTERS: readonly Filter[] = [
  {
    name: 'method',
    label: t.connectors.method,
    options: [{ value: '', label: t.connectors.anyMethod }, ...methodOptions()],
  },
  {
    name: 'status',
    label: t.connectors.status,
    options: [
      { value: '', label: t.connectors.anyStatus },
      { value: 'ready', label: t.connectors.ready },
      { value: 'error', label: t.connectors.needsAttention },
      { value: 'pending', label: t.connectors.pending },
      { value: 'disabled', label: t.connectors.disabled },
    ],
  },
];

function Connectors() {
  const filters = page.useSearch();
  const { search, status, method, sort = 'name', offset } = filters;
  const [adding, setAdding] = useOpen(filters, 'add');
  const right = useRight('connectors:write');
  const list = useQuery(
    connectorsQuery({
      search,
      offset,
      sort,
      auth_method: method,
      ...(status === 'disabled' ? { enabled: false } : { status }),
    }),
  );
  const add = (
    <Button variant="primary" icon={Plus} unavailable={right.reason} onClick={() => setAdding(true)}>
      {t.connectors.add}
    </Button>
  );
  return (
    <Page title={t.connectors.title} actions={add}>
      <List
        label={t.connectors.title}
        search={filters}
        query={list}
        columns={COLUMNS}
        find={t.connectors.find}
        filters={FILTERS}
        sort="name"
        empty={{ icon: Plug, text: t.connectors.empty, action: add }}
      />
      {adding && right.has && <AddConnector onClose={() => setAdding(false)} />}
    </Page>
  );
}
