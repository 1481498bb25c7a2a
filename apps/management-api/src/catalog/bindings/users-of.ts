import type { AgentId, ConnectorId, OrganizationId } from '@legate/ids';
import { pageOf } from '@legate/pagination';
import { ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { ListByAge, orderByAge } from '../../storage/by-age.ts';
import { queryPage } from '../../storage/page-statement.ts';
import type { TenantReader } from '../../storage/reader.ts';
import type { Agents } from '../agents/service.ts';
import type { Connectors } from '../connectors/service.ts';
import { ListedAgentConnector } from './agent-connector.ts';
import { LISTED_BINDING_JSON } from './agent-connectors.ts';
import { LISTED_LINK_JSON, ListedSiteAgent } from './site-agents.ts';

const SITES_OF_AGENT = {
  name: 'agent_sites_list',
  from: `site_agents r JOIN sites s
  ON s.organization_id = r.organization_id AND s.id = r.site_id AND s.deleted_at IS NULL`,
  where: 'r.organization_id = $1 AND r.agent_id = $2',
  tie: 'site_id',
  json: LISTED_LINK_JSON,
};
const AGENTS_OF_CONNECTOR = {
  name: 'connector_agents_list',
  from: `agent_connectors r JOIN agents a
  ON a.organization_id = r.organization_id AND a.id = r.agent_id AND a.deleted_at IS NULL`,
  where: 'r.organization_id = $1 AND r.connector_id = $2',
  tie: 'agent_id',
  json: LISTED_BINDING_JSON,
};

export type UsersOf = ReturnType<typeof createUsersOf>;

/** Finds bindings by agent and by connector: a change of either affects them. */
export function createUsersOf(deps: {
  tenants: TenantReader;
  agents: Pick<Agents, 'find'>;
  connectors: Pick<Connectors, 'find'>;
}) {
  const { tenants, agents, connectors } = deps;
  const list = <Binding>(
    { name, tie, ...bindings }: typeof SITES_OF_AGENT,
    organizationId: OrganizationId,
    id: string,
    query: ListByAge,
  ) =>
    queryPage<Binding>(tenants, organizationId, query, {
      ...bindings,
      name: `${name}_${query.sort}`,
      values: [id],
      orderBy: orderByAge(query.sort, tie),
    });
  return {
    /** @throws {Problem} 404 */
    async sitesOfAgent(organizationId: OrganizationId, id: AgentId, query: ListByAge) {
      await agents.find(organizationId, id);
      return list<ListedSiteAgent>(SITES_OF_AGENT, organizationId, id, query);
    },
    /** @throws {Problem} 404 */
    async agentsOfConnector(organizationId: OrganizationId, id: ConnectorId, query: ListByAge) {
      await connectors.find(organizationId, id);
      return list<ListedAgentConnector>(AGENTS_OF_CONNECTOR, organizationId, id, query);
    },
  };
}

export const usersOfOperations = (usersOf: UsersOf): Operation[] => [
  operation('listAgentSites', 'get', '/agents/{agent_id}/sites', {
    tag: 'Agents',
    summary: 'List the sites that embed an agent',
    access: 'agents:read',
    query: ListByAge,
    responses: { 200: { description: 'A page of links', schema: pageOf(ListedSiteAgent) } },
    handle: async ({ organizationId, params, query }) =>
      ok(await usersOf.sitesOfAgent(organizationId, params.agent_id, query)),
  }),
  operation('listConnectorAgents', 'get', '/connectors/{connector_id}/agents', {
    tag: 'Connectors',
    summary: 'List the agents that may use a connector',
    access: 'connectors:read',
    query: ListByAge,
    responses: { 200: { description: 'A page of bindings', schema: pageOf(ListedAgentConnector) } },
    handle: async ({ organizationId, params, query }) =>
      ok(await usersOf.agentsOfConnector(organizationId, params.connector_id, query)),
  }),
];
