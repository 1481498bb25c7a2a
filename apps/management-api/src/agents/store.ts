import type { AgentId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../changes/change.ts';
import type { Stored } from '../domain/stored.ts';
import { createResourceStore, type ResourceStore } from '../resources/resource-store.ts';
import { CHANGED, isoTime } from '../storage/columns.ts';
import type { Agent, AgentSummary, CreateAgent, ListAgents } from './agent.ts';

export interface AgentStore extends ResourceStore<Agent, ListAgents, AgentSummary> {
  create(change: Change, id: AgentId, agent: CreateAgent): Promise<Stored<Agent>>;
  update(change: Change, agent: Agent): Promise<Stored<Agent>>;
  /** True if a site that is not deleted uses it */
  isUsed(change: Change, id: AgentId): Promise<boolean>;
}

const SUMMARY = `'id', r.id, 'name', r.name, 'description', r.description, 'status', r.status,
  'settings', r.settings,
  'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')}`;
const SUMMARY_JSON = `json_build_object(${SUMMARY}, 'instructions_length', coalesce(length(r.instructions), 0))`;
const AGENT_JSON = `json_build_object(${SUMMARY}, 'instructions', r.instructions)`;
const CREATE = `INSERT INTO agents
  (organization_id, id, name, description, instructions, status, settings)
VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const UPDATE = `UPDATE agents SET name = $3, description = $4, instructions = $5, status = $6,
  settings = $7, ${CHANGED} WHERE organization_id = $1 AND id = $2`;
const IS_USED = `SELECT EXISTS (SELECT FROM site_agents l JOIN sites s
  ON s.organization_id = l.organization_id AND s.id = l.site_id AND s.deleted_at IS NULL
  WHERE l.organization_id = $1 AND l.agent_id = $2) AS used`;

export function createAgentStore(tenants: TenantDatabase): AgentStore {
  const common = createResourceStore<Agent, ListAgents, AgentSummary>(tenants, {
    name: 'agent',
    table: 'agents',
    json: AGENT_JSON,
    listJson: SUMMARY_JSON,
    filters: ({ status, search }) => [
      { name: 'status', value: status, condition: (wanted) => `r.status = ${wanted}` },
      {
        name: 'search',
        value: search,
        condition: (part) => `strpos(lower(r.name), lower(${part})) > 0`,
      },
    ],
  });
  const valuesOf = ({ organizationId }: Change, id: AgentId, agent: CreateAgent) => [
    organizationId,
    id,
    agent.name,
    agent.description,
    agent.instructions,
    agent.status,
    JSON.stringify(agent.settings),
  ];

  return {
    ...common,
    create(change, id, agent) {
      const values = valuesOf(change, id, agent);
      return common.write(change, id, { name: 'agent_create', text: CREATE, values });
    },
    update(change, agent) {
      const values = valuesOf(change, agent.id, agent);
      return common.write(change, agent.id, { name: 'agent_update', text: UPDATE, values });
    },
    async isUsed({ connection, organizationId }, id) {
      const values = [organizationId, id];
      const [row] = await connection.query<{ used: boolean }>({ name: 'agent_used', text: IS_USED, values });
      return row?.used ?? false;
    },
  };
}
