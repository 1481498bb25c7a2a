import type { AgentId, ConnectorId, OrganizationId } from '@legate/ids';
import type { Page } from '@legate/pagination';
import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import { notFound, validationFailed } from '@legate/service';
import type { Agents } from '../agents/service.ts';
import type { Change } from '../changes/change.ts';
import type { Connectors } from '../connectors/service.ts';
import { changesBetween } from '../domain/audit-event.ts';
import { type ListByAge, orderByAge } from '../storage/by-age.ts';
import { isoTime } from '../storage/columns.ts';
import { queryPage } from '../storage/page-statement.ts';
import type { AgentConnector, PutAgentConnector } from './agent-connector.ts';

const FIELDS = ['scopes', 'tools', 'approval'] as const;

/** Throws 404 for an agent or a connector that does not exist, or belongs to another organization. */
export interface AgentConnectors {
  list(organizationId: OrganizationId, agentId: AgentId, query: ListByAge): Promise<Page<AgentConnector>>;
  /** @throws {Problem} 400 `scope_not_in_connector` */
  put(
    change: Change,
    agentId: AgentId,
    connectorId: ConnectorId,
    wanted: PutAgentConnector,
  ): Promise<{ binding: AgentConnector; added: boolean }>;
  remove(change: Change, agentId: AgentId, connectorId: ConnectorId): Promise<void>;
}

export const BINDING_JSON = `json_build_object('agent_id', r.agent_id, 'connector_id', r.connector_id, 'scopes', r.scopes,
  'tools', r.tools, 'approval', r.approval, 'created_at', ${isoTime('created_at')})`;
/** Bindings to connectors that were not deleted */
const BINDINGS = `agent_connectors r JOIN connectors c
  ON c.organization_id = r.organization_id AND c.id = r.connector_id AND c.deleted_at IS NULL`;
const OF_AGENT = 'r.organization_id = $1 AND r.agent_id = $2';
const FIND = `SELECT ${BINDING_JSON} AS binding FROM ${BINDINGS} WHERE ${OF_AGENT} AND r.connector_id = $3`;
const PUT = `INSERT INTO agent_connectors AS r (organization_id, agent_id, connector_id, scopes, tools, approval)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (agent_id, connector_id)
DO UPDATE SET scopes = excluded.scopes, tools = excluded.tools, approval = excluded.approval
RETURNING ${BINDING_JSON} AS binding`;
const REMOVE =
  'DELETE FROM agent_connectors WHERE organization_id = $1 AND agent_id = $2 AND connector_id = $3';

export function createAgentConnectors(deps: {
  tenants: TenantDatabase;
  agents: Agents;
  connectors: Connectors;
}): AgentConnectors {
  const { tenants, agents, connectors } = deps;

  async function find(connection: TenantConnection, values: unknown[]): Promise<AgentConnector | undefined> {
    const statement = { name: 'agent_connector_find', text: FIND, values };
    const [row] = await connection.query<{ binding: AgentConnector }>(statement);
    return row?.binding;
  }

  return {
    async list(organizationId, agentId, query) {
      await agents.find(organizationId, agentId);
      return queryPage(tenants, organizationId, query, {
        name: `agent_connectors_list_${query.sort}`,
        from: BINDINGS,
        where: OF_AGENT,
        values: [agentId],
        orderBy: orderByAge(query.sort, 'connector_id'),
        json: BINDING_JSON,
      });
    },
    async put(change, agentId, connectorId, wanted) {
      const agent = await agents.lock(change, agentId);
      const connector = await connectors.lock(change, connectorId);
      checkScopes(wanted.scopes ?? [], connector.scopes);
      const id = [change.organizationId, agentId, connectorId];
      const before = await find(change.connection, id);
      const changes = changesBetween(before ?? {}, { ...wanted }, FIELDS);
      if (before && Object.keys(changes).length === 0) return { binding: before, added: false };
      const [saved] = await change.connection.query<{ binding: AgentConnector }>({
        name: 'agent_connector_put',
        text: PUT,
        values: [...id, wanted.scopes, wanted.tools, wanted.approval],
      });
      if (!saved) throw new Error('a binding was not returned');
      await change.record({
        action: 'agent.connector_set',
        targets: [
          { type: 'agent', id: agentId, name: agent.name },
          { type: 'connector', id: connectorId, name: connector.name },
        ],
        changes,
      });
      return { binding: saved.binding, added: !before };
    },
    async remove(change, agentId, connectorId) {
      const agent = await agents.lock(change, agentId);
      const connector = await connectors.lock(change, connectorId);
      const id = [change.organizationId, agentId, connectorId];
      if (!(await find(change.connection, id))) throw notFound('The agent has no such connector.');
      await change.connection.query({ name: 'agent_connector_remove', text: REMOVE, values: id });
      await change.record({
        action: 'agent.connector_removed',
        targets: [
          { type: 'agent', id: agentId, name: agent.name },
          { type: 'connector', id: connectorId, name: connector.name },
        ],
      });
    },
  };
}

function checkScopes(wanted: readonly string[], offered: readonly string[]): void {
  const errors = wanted.flatMap((scope, index) =>
    offered.includes(scope)
      ? []
      : [
          {
            pointer: `/scopes/${index}`,
            code: 'scope_not_in_connector',
            detail: 'The connector has no such scope.',
          },
        ],
  );
  if (errors.length > 0) throw validationFailed(errors);
}
