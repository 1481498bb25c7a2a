import type { AgentId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../../changes/change.ts';
import { CHANGED, isoTime } from '../../storage/columns.ts';
import { statement } from '../../storage/statement.ts';
import { createResourceStore } from '../resources/resource-store.ts';
import type { Agent, AgentSummary, CreateAgent, ListAgents } from './agent.ts';

const SUMMARY = `'id', r.id, 'name', r.name, 'description', r.description, 'status', r.status,
  'settings', r.settings,
  'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')}`;
const SUMMARY_JSON = `json_build_object(${SUMMARY}, 'instructions_length', coalesce(length(r.instructions), 0))`;
const AGENT_JSON = `json_build_object(${SUMMARY}, 'instructions', r.instructions)`;
const CREATE = statement('agent_create')`INSERT INTO agents
  (organization_id, id, name, description, instructions, status, settings)
VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const UPDATE = statement(
  'agent_update',
)`UPDATE agents SET name = $3, description = $4, instructions = $5, status = $6,
  settings = $7, ${CHANGED} WHERE organization_id = $1 AND id = $2`;
const SITES = statement('agent_sites')`SELECT s.id, s.name FROM site_agents l JOIN sites s
  ON s.organization_id = l.organization_id AND s.id = l.site_id AND s.deleted_at IS NULL
WHERE l.organization_id = $1 AND l.agent_id = $2 ORDER BY s.created_at, s.id LIMIT $3`;

export type AgentStore = ReturnType<typeof createAgentStore>;

export function createAgentStore(tenants: TenantDatabase) {
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
    create: (change: Change, id: AgentId, agent: CreateAgent) =>
      common.write(change, id, CREATE(...valuesOf(change, id, agent))),
    update: (change: Change, agent: Agent) =>
      common.write(change, agent.id, UPDATE(...valuesOf(change, agent.id, agent))),
    /** Sites that use the agent, without deleted ones, oldest first */
    sitesOf: ({ connection, organizationId }: Change, id: AgentId, atMost: number) =>
      connection.query<{ id: string; name: string }>(SITES(organizationId, id, atMost)),
  };
}
