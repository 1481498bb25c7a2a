import { type AgentId, isId, type OrganizationId } from '@legate/ids';
import { AGENT_CLIENT_PREFIX } from '@legate/management-contract';
import type { TenantDatabase } from '@legate/postgres';
import { notFound } from '@legate/service';
import { ulid } from 'ulid';
import type { Change } from '../../changes/change.ts';
import { problem } from '../../domain/problem-codes.ts';
import { hashOfSecretToken, newSecretToken } from '../../domain/secret-token.ts';
import { type ListByAge, orderByAge } from '../../storage/by-age.ts';
import { isoTime } from '../../storage/columns.ts';
import { queryPage } from '../../storage/page-statement.ts';
import { statement } from '../../storage/statement.ts';
import type { Agents } from '../agents/service.ts';
import type { AgentClient, CreateAgentClient, NewAgentClient } from './agent-client.ts';

/** Maximum number of clients of an agent, more than anyone needs */
const MAX_CLIENTS = 20;

const JSON_OF_CLIENT = `json_build_object('id', r.id, 'agent_id', r.agent_id, 'client_id', r.client_id,
  'name', r.name, 'redirect_uris', r.redirect_uris, 'token_endpoint_auth_method', r.auth_method, 'created_at', ${isoTime('created_at')})`;
const OF_AGENT = 'r.organization_id = $1 AND r.agent_id = $2';
const COUNT = statement(
  'agent_client_count',
)`SELECT count(*)::int AS n FROM agent_clients r WHERE ${OF_AGENT}`;
const ADD = statement(
  'agent_client_add',
)`INSERT INTO agent_clients AS r (organization_id, id, agent_id, client_id, name, redirect_uris, auth_method, secret_hash, jwks)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (organization_id, client_id) DO NOTHING RETURNING ${JSON_OF_CLIENT} AS value`;
const REMOVE = statement('agent_client_remove')`DELETE FROM agent_clients r
WHERE ${OF_AGENT} AND r.id = $3 RETURNING r.client_id`;

export type AgentClients = ReturnType<typeof createAgentClients>;

/**
 * Manages MCP clients that act as agents. Throws 404 for an agent that does not exist or belongs to another
 * organization.
 */
export function createAgentClients(deps: { tenants: TenantDatabase; agents: Agents; clock: () => Date }) {
  const { tenants, agents, clock } = deps;

  const targetsOf = (id: AgentId, name: string) => [{ type: 'agent' as const, id, name }];

  return {
    async list(organizationId: OrganizationId, agentId: AgentId, query: ListByAge) {
      await agents.find(organizationId, agentId);
      return queryPage<AgentClient>(tenants, organizationId, query, {
        name: `agent_clients_list_${query.sort}`,
        from: 'agent_clients r',
        where: OF_AGENT,
        values: [agentId],
        orderBy: orderByAge(query.sort, 'id'),
        json: JSON_OF_CLIENT,
      });
    },
    /** @throws {Problem} 409 `client_bound`, `quota_exceeded` */
    async add(change: Change, agentId: AgentId, wanted: CreateAgentClient): Promise<NewAgentClient> {
      const { name } = await agents.lock(change, agentId);
      const { connection, organizationId } = change;
      const [counted] = await connection.query<{ n: number }>(COUNT(organizationId, agentId));
      if ((counted?.n ?? 0) >= MAX_CLIENTS)
        throw problem('quota_exceeded', {
          detail: `The agent has ${MAX_CLIENTS} clients, which is the maximum.`,
          extensions: { present: counted?.n, deleted: 0, limit: MAX_CLIENTS },
        });
      const nowMs = clock().getTime();
      const client_id = wanted.client_id ?? AGENT_CLIENT_PREFIX + ulid(nowMs);
      const client_secret =
        wanted.token_endpoint_auth_method === 'client_secret_basic' ? newSecretToken('agentClient') : null;
      const [added] = await connection.query<{ value: AgentClient }>(
        ADD(
          organizationId,
          `acl_${ulid(nowMs)}`,
          agentId,
          client_id,
          wanted.name,
          wanted.redirect_uris,
          wanted.token_endpoint_auth_method,
          client_secret && hashOfSecretToken('agentClient', client_secret),
          wanted.jwks,
        ),
      );
      if (!added)
        throw problem('client_bound', {
          detail: 'This client already acts as an agent of your organization, perhaps a deleted one.',
        });
      await change.record({
        action: 'agent.client_added',
        targets: targetsOf(agentId, name),
        changes: changesOf(added.value),
      });
      return { ...added.value, client_secret };
    },
    /** Removes a client, which ends the sessions of the agent through it. */
    async remove(change: Change, agentId: AgentId, id: string): Promise<void> {
      const { name } = await agents.lock(change, agentId);
      const sent = REMOVE(change.organizationId, agentId, id);
      const [removed] = isId(id) ? await change.connection.query<{ client_id: string }>(sent) : [];
      if (!removed) throw notFound('The agent does not have this client.');
      const changes = { client_id: { from: removed.client_id, to: null } };
      await change.record({ action: 'agent.client_removed', targets: targetsOf(agentId, name), changes });
    },
  };
}

/**
 * Returns the changes for the audit trail. They contain the redirect URIs, because a registered client acts
 * in the organization's name there.
 */
const changesOf = ({ client_id, name, redirect_uris, token_endpoint_auth_method }: AgentClient) =>
  Object.fromEntries(
    Object.entries({ client_id, name, redirect_uris, token_endpoint_auth_method }).flatMap(([field, to]) =>
      to === null ? [] : [[field, { from: null, to }]],
    ),
  );
