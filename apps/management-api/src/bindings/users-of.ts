import type { AgentId, ConnectorId, OrganizationId } from '@legate/ids';
import { type Page, pageOf } from '@legate/pagination';
import type { Agents } from '../agents/service.ts';
import { ok } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';
import type { Connectors } from '../connectors/service.ts';
import { ListByAge, orderByAge } from '../storage/by-age.ts';
import { queryPage } from '../storage/page-statement.ts';
import type { TenantReader } from '../storage/reader.ts';
import { AgentConnector } from './agent-connector.ts';
import { BINDING_JSON } from './agent-connectors.ts';
import { LINK_JSON, SiteAgent } from './site-agents.ts';

/** Bindings seen from their other end: who is affected by a change of an agent or a connector. */
export interface UsersOf {
  /** @throws {Problem} 404 */
  sitesOfAgent(organizationId: OrganizationId, id: AgentId, query: ListByAge): Promise<Page<SiteAgent>>;
  /** @throws {Problem} 404 */
  agentsOfConnector(
    organizationId: OrganizationId,
    id: ConnectorId,
    query: ListByAge,
  ): Promise<Page<AgentConnector>>;
}

export function createUsersOf(deps: {
  tenants: TenantReader;
  agents: Pick<Agents, 'find'>;
  connectors: Pick<Connectors, 'find'>;
}): UsersOf {
  const { tenants, agents, connectors } = deps;
  return {
    async sitesOfAgent(organizationId, agentId, query) {
      await agents.find(organizationId, agentId);
      return queryPage(tenants, organizationId, query, {
        name: `agent_sites_list_${query.sort}`,
        from: `site_agents r JOIN sites s
  ON s.organization_id = r.organization_id AND s.id = r.site_id AND s.deleted_at IS NULL`,
        where: 'r.organization_id = $1 AND r.agent_id = $2',
        values: [agentId],
        orderBy: orderByAge(query.sort, 'site_id'),
        json: LINK_JSON,
      });
    },
    async agentsOfConnector(organizationId, connectorId, query) {
      await connectors.find(organizationId, connectorId);
      return queryPage(tenants, organizationId, query, {
        name: `connector_agents_list_${query.sort}`,
        from: `agent_connectors r JOIN agents a
  ON a.organization_id = r.organization_id AND a.id = r.agent_id AND a.deleted_at IS NULL`,
        where: 'r.organization_id = $1 AND r.connector_id = $2',
        values: [connectorId],
        orderBy: orderByAge(query.sort, 'agent_id'),
        json: BINDING_JSON,
      });
    },
  };
}

export const usersOfOperations = (usersOf: UsersOf): Operation[] => [
  operation('listAgentSites', 'get', '/agents/{agent_id}/sites', {
    tag: 'Agents',
    summary: 'List the sites that embed an agent',
    access: 'agents:read',
    query: ListByAge,
    responses: { 200: { description: 'A page of links', schema: pageOf(SiteAgent) } },
    handle: async ({ organizationId, params, query }) =>
      ok(await usersOf.sitesOfAgent(organizationId, params.agent_id, query)),
  }),
  operation('listConnectorAgents', 'get', '/connectors/{connector_id}/agents', {
    tag: 'Connectors',
    summary: 'List the agents that may use a connector',
    access: 'connectors:read',
    query: ListByAge,
    responses: { 200: { description: 'A page of bindings', schema: pageOf(AgentConnector) } },
    handle: async ({ organizationId, params, query }) =>
      ok(await usersOf.agentsOfConnector(organizationId, params.connector_id, query)),
  }),
];
