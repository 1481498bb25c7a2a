import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { Stethoscope } from 'lucide-react';
import { connectorQuery, toolsQuery } from '../../api/queries.ts';
import type { Connector } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { CopyId } from '../../design/copy.tsx';
import { Facts, Page, Section } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Empty, Notice, Skeleton } from '../../design/states.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { Time } from '../../design/time.tsx';
import { Name, Revealed } from '../../design/untrusted.tsx';
import { useEdited } from '../../forms/use-edited.ts';
import { number } from '../../intl/format.ts';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { ConnectorStatus } from './connector-status.tsx';
import { Examination } from './examination.tsx';
import { RowMenu } from './row-menu.tsx';
import { SettingsForm } from './settings-form.tsx';
import { CONNECTOR_TABS, type ConnectorTab } from './tabs.ts';
import { ToolList } from './tool-list.tsx';
import { useExamination } from './use-examination.ts';
import { UsedBy } from './used-by.tsx';

export const page = createLazyRoute('/shell/connectors/$connectorId')({ component: OneConnector });

function OneConnector() {
  const { connectorId } = page.useParams();
  const query = useQuery(connectorQuery(connectorId));
  const connector = query.data?.data;
  const examination = useExamination(connectorId, connector);
  const { reason } = useRight('connectors:write');
  const isDisabled = connector?.enabled === false;
  const tools = useQuery({ ...toolsQuery(connectorId), enabled: false }).data; // if the tab has loaded them
  const navigate = useNavigate({ from: '/connectors/$connectorId' });
  const { tab = 'overview' } = page.useSearch();
  const show = (next: ConnectorTab) => void navigate({ search: { tab: next }, replace: true });
  return (
    <Page
      title={t.connectors.one}
      heading={connector && <Name text={connector.name} />}
      meta={
        <>
          {connector && <ConnectorStatus connector={connector} />}
          <CopyId id={connectorId} />
        </>
      }
      actions={
        <>
          <Button
            variant={tab === 'tools' ? 'plain' : 'primary'}
            icon={Stethoscope}
            busy={examination.isPending}
            unavailable={isDisabled ? reason : undefined}
            onClick={() => {
              examination.mutate();
              show('examination');
            }}
          >
            {isDisabled ? t.connectors.enableAndExamine : t.connectors.examine}
          </Button>
          {connector && <RowMenu connector={connector} />}
        </>
      }
    >
      {isDisabled && (
        <Notice tone="warning" title={t.connectors.isDisabled}>
          {t.connectors.isDisabledText}
        </Notice>
      )}
      <Tabs
        label={t.connectors.one}
        value={tab}
        onChange={show}
        tabs={CONNECTOR_TABS.map((name) => ({ name, label: labelOf(name, tools?.length) }))}
      >
        <Loaded query={query} loading={<Skeleton height="block" />}>
          {({ data, etag }) => (
            <>
              {tab === 'overview' && <Overview connector={data} />}
              {tab === 'tools' && data.enabled && <ToolList connector={data} />}
              {tab === 'tools' && !data.enabled && <Empty>{t.connectors.toolsOfDisabled}</Empty>}
              {tab === 'examination' && (
                <Examination connector={data} etag={etag} examination={examination} />
              )}
              {tab === 'usedBy' && <UsedBy connectorId={connectorId} />}
              {tab === 'settings' && <Settings connectorId={connectorId} />}
            </>
          )}
        </Loaded>
      </Tabs>
    </Page>
  );
}

const labelOf = (tab: ConnectorTab, tools: number | undefined) => (
  <>
    {t.connectors.tabs[tab]}
    {tab === 'tools' && tools !== undefined && <span className="muted"> {number(tools)}</span>}
  </>
);

function Settings({ connectorId }: { readonly connectorId: string }) {
  const { edited, reload } = useEdited(useQuery(connectorQuery(connectorId)));
  if (edited === undefined) return null;
  const { data, etag } = edited.data;
  return <SettingsForm key={edited.round} connector={data} etag={etag} onReload={reload} />;
}

function Overview({ connector }: { readonly connector: Connector }) {
  const { resource_url: address, auth_method: method, issuer, client_id: clientId, scopes } = connector;
  const { exchange_audience: audience, token_audience: tokenAudience } = connector;
  const none = <span className="muted">{t.common.none}</span>;
  return (
    <Section>
      {audience !== null && <Notice>{t.connectors.exchangeClaims}</Notice>}
      <Facts
        facts={[
          { term: t.connectors.address, value: <Revealed text={address} /> },
          { term: t.connectors.method, value: t.connectors.methods[method] },
          { term: t.connectors.issuer, value: issuer === null ? none : <Revealed text={issuer} /> },
          { term: t.connectors.clientId, value: clientId === null ? none : <code>{clientId}</code> },
          ...(audience === null
            ? []
            : [
                { term: t.connectors.exchangeAudience, value: <code>{audience}</code> },
                { term: t.connectors.tokenAudience, value: <code>{tokenAudience ?? audience}</code> },
                {
                  term: t.connectors.acceptedElsewhere,
                  value: connector.acknowledge_shared_audience ? t.connectors.acknowledged : none,
                },
              ]),
          { term: t.connectors.secret, value: connector.has_secret ? t.connectors.secretSet : none },
          { term: t.connectors.scopes, value: scopes.length === 0 ? none : <code>{scopes.join(' ')}</code> },
          { term: t.connectors.created, value: <Time at={connector.created_at} as="full" /> },
          { term: t.connectors.changed, value: <Time at={connector.updated_at} as="full" /> },
        ]}
      />
    </Section>
  );
}
