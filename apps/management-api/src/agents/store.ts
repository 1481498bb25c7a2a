import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import type { Stored } from '../api/stored.ts';
import type { Agent, CreateAgent, ListAgents } from './agent.ts';

/** Agents that were not deleted, unless it says otherwise. */
export interface AgentStore {
  /** In the order asked for, then by id. Page and total are of the same moment. */
  list(organizationId: string, query: ListAgents): Promise<{ agents: readonly Agent[]; total: number }>;
  find(organizationId: string, id: string): Promise<Stored<Agent> | undefined>;
  create(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    agent: CreateAgent,
  ): Promise<Stored<Agent>>;
  /** Waits for other changes of the agent, and returns it as they left it. */
  lock(connection: TenantConnection, organizationId: string, id: string): Promise<Stored<Agent> | undefined>;
  update(connection: TenantConnection, organizationId: string, agent: Agent): Promise<Stored<Agent>>;
  /** Locks an agent that was not deleted before `since`. */
  lockRestorable(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    since: Date,
  ): Promise<{ deleted: boolean } | undefined>;
  /** `null` brings the agent back. */
  setDeleted(
    connection: TenantConnection,
    organizationId: string,
    id: string,
    deletedAt: Date | null,
  ): Promise<Stored<Agent>>;
  isUsed(connection: TenantConnection, organizationId: string, id: string): Promise<boolean>;
}

const time = (column: string) => `to_char(a.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const AGENT_JSON = `json_build_object('id', a.id, 'name', a.name, 'description', a.description,
  'instructions', a.instructions, 'status', a.status, 'identity_mode', a.identity_mode, 'settings', a.settings,
  'created_at', ${time('created_at')}, 'updated_at', ${time('updated_at')})`;
const STORED = `${AGENT_JSON} AS value, a.version::text`;

const ORDER_BY = {
  created_at: 'a.created_at, a.id',
  '-created_at': 'a.created_at DESC, a.id DESC',
  name: 'a.name, a.id',
  '-name': 'a.name DESC, a.id DESC',
} as const;

const LISTED = `a.organization_id = $1 AND a.deleted_at IS NULL AND ($4::text IS NULL OR a.status = $4)
  AND ($5::text IS NULL OR strpos(lower(a.name), lower($5)) > 0)`;
const list = (orderBy: string) => `WITH page AS (
  SELECT a.* FROM agents a WHERE ${LISTED} ORDER BY ${orderBy} LIMIT $2 OFFSET $3
)
SELECT
  (SELECT count(*)::int FROM agents a WHERE ${LISTED}) AS total,
  (SELECT coalesce(json_agg(${AGENT_JSON} ORDER BY ${orderBy}), '[]') FROM page a) AS agents`;

const FIND = `SELECT ${STORED} FROM agents a WHERE a.organization_id = $1 AND a.id = $2 AND a.deleted_at IS NULL`;
const CREATE = `INSERT INTO agents AS a
  (organization_id, id, name, description, instructions, status, identity_mode, settings)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${STORED}`;
const CHANGED = 'version = a.version + 1, updated_at = clock_timestamp()';
const UPDATE = `UPDATE agents a SET name = $3, description = $4, instructions = $5, status = $6,
  identity_mode = $7, settings = $8, ${CHANGED} WHERE a.organization_id = $1 AND a.id = $2 RETURNING ${STORED}`;
const LOCK_RESTORABLE = `SELECT deleted_at IS NOT NULL AS deleted FROM agents
WHERE organization_id = $1 AND id = $2 AND (deleted_at IS NULL OR deleted_at > $3) FOR UPDATE`;
const SET_DELETED = `UPDATE agents a SET deleted_at = $3, ${CHANGED}
WHERE a.organization_id = $1 AND a.id = $2 RETURNING ${STORED}`;
const IS_USED = `SELECT EXISTS (SELECT FROM site_agents l JOIN sites s
  ON s.organization_id = l.organization_id AND s.id = l.site_id AND s.deleted_at IS NULL
  WHERE l.organization_id = $1 AND l.agent_id = $2) AS used`;

export function createAgentStore(tenants: TenantDatabase): AgentStore {
  const columns = (agent: CreateAgent) => [
    agent.name,
    agent.description,
    agent.instructions,
    agent.status,
    agent.identity_mode,
    JSON.stringify(agent.settings),
  ];
  const one = async (
    connection: TenantConnection,
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Stored<Agent>> => {
    const [row] = await connection.query<Stored<Agent>>({ name, text, values });
    if (!row) throw new Error('an agent is gone while it is locked');
    return row;
  };

  return {
    async list(organizationId, { limit, offset, sort, status, search }) {
      const values = [organizationId, limit, offset, status ?? null, search ?? null];
      const statement = { name: `agents_list_${sort}`, text: list(ORDER_BY[sort]), values };
      const [row] = await tenants.queryAsTenant<{ agents: Agent[]; total: number }>(
        organizationId,
        statement,
      );
      return row ?? { agents: [], total: 0 };
    },
    async find(organizationId, id) {
      const statement = { name: 'agent_find', text: FIND, values: [organizationId, id] };
      const [row] = await tenants.queryAsTenant<Stored<Agent>>(organizationId, statement);
      return row;
    },
    create: (connection, organizationId, id, agent) =>
      one(connection, 'agent_create', CREATE, [organizationId, id, ...columns(agent)]),
    async lock(connection, organizationId, id) {
      const statement = { name: 'agent_lock', text: `${FIND} FOR UPDATE`, values: [organizationId, id] };
      const [row] = await connection.query<Stored<Agent>>(statement);
      return row;
    },
    update: (connection, organizationId, agent) =>
      one(connection, 'agent_update', UPDATE, [organizationId, agent.id, ...columns(agent)]),
    async lockRestorable(connection, organizationId, id, since) {
      const [row] = await connection.query<{ deleted: boolean }>({
        name: 'agent_lock_restorable',
        text: LOCK_RESTORABLE,
        values: [organizationId, id, since],
      });
      return row;
    },
    setDeleted: (connection, organizationId, id, deletedAt) =>
      one(connection, 'agent_set_deleted', SET_DELETED, [organizationId, id, deletedAt]),
    async isUsed(connection, organizationId, id) {
      const values = [organizationId, id];
      const [row] = await connection.query<{ used: boolean }>({ name: 'agent_used', text: IS_USED, values });
      return row?.used ?? false;
    },
  };
}
