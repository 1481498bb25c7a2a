import { type AgentId, type ConnectorId, isId, type OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { notFound, validationFailed } from '@legate/service';
import type { Change } from '../../changes/change.ts';
import { changesBetween, type Target } from '../../domain/audit-event.ts';
import type { Stored, VersionCheck } from '../../domain/stored.ts';
import { type ListByAge, orderByAge } from '../../storage/by-age.ts';
import { isoTime, nameOf } from '../../storage/columns.ts';
import { queryPage } from '../../storage/page-statement.ts';
import { statement } from '../../storage/statement.ts';
import type { Agents } from '../agents/service.ts';
import type { Connectors } from '../connectors/service.ts';
import type {
  AgentConnector,
  ListedAgentConnector,
  PlacedAgentConnector,
  PutAgentConnector,
} from './agent-connector.ts';

const FIELDS = ['scopes', 'tools', 'approval'] as const;

const MEMBERS = `'agent_id', r.agent_id, 'connector_id', r.connector_id, 'scopes', r.scopes,
  'tools', r.tools, 'approval', r.approval, 'created_at', ${isoTime('created_at')}`;
const BINDING_JSON = `json_build_object(${MEMBERS})`;
export const LISTED_BINDING_JSON = `json_build_object(${MEMBERS},
  'agent_name', ${nameOf('agents', 'agent_id')}, 'connector_name', ${nameOf('connectors', 'connector_id')})`;
/** Bindings to connectors that are not deleted */
const BINDINGS = `agent_connectors r JOIN connectors c
  ON c.organization_id = r.organization_id AND c.id = r.connector_id AND c.deleted_at IS NULL`;
const OF_AGENT = 'r.organization_id = $1 AND r.agent_id = $2';
const STORED = `${BINDING_JSON} AS value, r.version::text AS version`;
const FIND = statement('agent_connector_find')`SELECT ${STORED} FROM ${BINDINGS}
WHERE ${OF_AGENT} AND r.connector_id = $3`;
const PUT = statement('agent_connector_put')`INSERT INTO agent_connectors AS r
  (organization_id, agent_id, connector_id, scopes, tools, approval)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (agent_id, connector_id)
DO UPDATE SET scopes = excluded.scopes, tools = excluded.tools, approval = excluded.approval
RETURNING ${STORED}`;
/** Empty for a connector whose list of tools was never read, because nothing is known of its tools then. */
const UNLISTED = statement('agent_connector_unlisted')`WITH listed AS (
  SELECT t.name FROM connector_tools t JOIN connectors c
    ON c.organization_id = t.organization_id AND c.id = t.connector_id AND c.resource_url = t.resource_url
  WHERE t.organization_id = $1 AND t.connector_id = $2
)
SELECT wanted.place::int - 1 AS place FROM unnest($3::text[]) WITH ORDINALITY AS wanted (name, place)
WHERE EXISTS (SELECT FROM listed) AND wanted.name NOT IN (SELECT name FROM listed) ORDER BY wanted.place`;
const REMOVE = statement('agent_connector_remove')`DELETE FROM agent_connectors
WHERE organization_id = $1 AND agent_id = $2 AND connector_id = $3`;

export type AgentConnectors = ReturnType<typeof createAgentConnectors>;

/**
 * Manages bindings. Throws 404 for an agent or a connector that does not exist or belongs to another
 * organization.
 */
export function createAgentConnectors(deps: {
  tenants: TenantDatabase;
  agents: Agents;
  connectors: Connectors;
}) {
  const { tenants, agents, connectors } = deps;

  /** Locks agent and connector, and finds the binding between them. */
  async function lock(change: Change, agentId: AgentId, connectorId: ConnectorId) {
    const agent = await agents.lock(change, agentId);
    const connector = await connectors.lock(change, connectorId);
    const id = [change.organizationId, agentId, connectorId];
    const [before] = await change.connection.query<Stored<AgentConnector>>(FIND(...id));
    const targets: Target[] = [
      { type: 'agent', id: agentId, name: agent.name },
      { type: 'connector', id: connectorId, name: connector.name },
    ];
    return { connector, id, targets, before };
  }

  /**
   * Returns the tools that no user was offered, which may be misspelt. They are accepted: the tool server may
   * offer them to others, or later.
   */
  async function warningsOf(
    change: Change,
    connectorId: ConnectorId,
    tools: readonly string[],
  ): Promise<PlacedAgentConnector['warnings']> {
    if (tools.length === 0) return undefined;
    const unlisted = UNLISTED(change.organizationId, connectorId, tools);
    const rows = await change.connection.query<{ place: number }>(unlisted);
    if (rows.length === 0) return undefined;
    return rows.map(({ place }) => ({
      pointer: `/tools/${place}`,
      code: 'tool_not_listed',
      detail: 'The tool server has not listed a tool with this name so far.',
    }));
  }

  return {
    async list(organizationId: OrganizationId, agentId: AgentId, query: ListByAge) {
      await agents.find(organizationId, agentId);
      return queryPage<ListedAgentConnector>(tenants, organizationId, query, {
        name: `agent_connectors_list_${query.sort}`,
        from: BINDINGS,
        where: OF_AGENT,
        values: [agentId],
        orderBy: orderByAge(query.sort, 'connector_id'),
        json: LISTED_BINDING_JSON,
      });
    },
    async find(organizationId: OrganizationId, agentId: AgentId, connectorId: ConnectorId) {
      await agents.find(organizationId, agentId);
      const find = FIND(organizationId, agentId, connectorId);
      const [found] = isId(connectorId)
        ? await tenants.queryAsTenant<Stored<AgentConnector>>(organizationId, find)
        : [];
      if (!found) throw notBound();
      return found;
    },
    /** @throws {Problem} 400 `scope_not_in_connector`, 412 */
    async put(
      change: Change,
      agentId: AgentId,
      connectorId: ConnectorId,
      check: VersionCheck,
      wanted: PutAgentConnector,
    ) {
      const { connector, id, targets, before } = await lock(change, agentId, connectorId);
      check(before?.version);
      checkScopes(wanted.scopes ?? [], connector.scopes);
      const changes = changesBetween(before?.value ?? {}, { ...wanted }, FIELDS);
      const warnings = await warningsOf(change, connectorId, wanted.tools ?? []);
      const placed = ({ value, version }: Stored<AgentConnector>) => ({
        version,
        value: { ...value, ...(warnings && { warnings }) },
      });
      if (before && Object.keys(changes).length === 0) return { binding: placed(before), added: false };
      const [saved] = await change.connection.query<Stored<AgentConnector>>(
        PUT(...id, wanted.scopes, wanted.tools, wanted.approval),
      );
      if (!saved) throw new Error('a binding was not returned');
      await change.record({ action: 'agent.connector_set', targets, changes });
      return { binding: placed(saved), added: !before };
    },
    /** @throws {Problem} 412 */
    async remove(change: Change, agentId: AgentId, connectorId: ConnectorId, check: VersionCheck) {
      const { id, targets, before } = await lock(change, agentId, connectorId);
      if (!before) throw notBound();
      check(before.version);
      await change.connection.query(REMOVE(...id));
      await change.record({ action: 'agent.connector_removed', targets });
    },
  };
}

const notBound = () => notFound('The agent has no such connector.');

function checkScopes(wanted: readonly string[], offered: readonly string[]): void {
  const errors = wanted.flatMap((scope, index) =>
    offered.includes(scope)
      ? []
      : [
          {
            pointer: `/scopes/${index}`,
            code: 'scope_not_in_connector',
            detail: 'The connector does not have this scope.',
          },
        ],
  );
  if (errors.length > 0) throw validationFailed(errors);
}
