import { pageOf } from '@legate/pagination';
import { noContent, ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json } from '../../http/api/request-body.ts';
import type { Platform } from '../../platform/platform.ts';
import { ListByAge } from '../../storage/by-age.ts';
import type { Agents } from '../agents/service.ts';
import { AgentClient, CreateAgentClient, NewAgentClient } from './agent-client.ts';
import { type AgentClients, createAgentClients } from './service.ts';

/** Opens the MCP clients that are an agent. */
export const openAgentClients = (
  { tenants, clock }: Platform,
  agents: Agents,
): { readonly operations: Operation[] } => ({
  operations: agentClientOperations(createAgentClients({ tenants, agents, clock })),
});

const agentClientOperations = (clients: AgentClients): Operation[] => [
  operation('listAgentClients', 'get', '/agents/{agent_id}/clients', {
    tag: 'Agents',
    summary: 'List the MCP clients that are an agent',
    access: 'agents:read',
    query: ListByAge,
    responses: { 200: { description: 'A page of clients', schema: pageOf(AgentClient) } },
    handle: async ({ organizationId, params, query }) =>
      ok(await clients.list(organizationId, params.agent_id, query)),
  }),
  operation('createAgentClient', 'post', '/agents/{agent_id}/clients', {
    tag: 'Agents',
    summary: 'Let an MCP client be an agent',
    description:
      'A user who signs in at the tool hub through this client then has what the agent is bound to, and nothing else. Either ' +
      'a client that has a document of its own (`client_id`), or one that is registered here (`name`, `redirect_uris`, ' +
      '`token_endpoint_auth_method`), for users of the organization alone. The page on which users allow a registered client ' +
      'says that the organization registered it. A client with a document goes on as before in other organizations; in this ' +
      'one its users sign in again. Up to 20 clients; each is one agent of the organization. A secret is shown in this answer ' +
      'only.',
    access: 'clients:write',
    isForPeople: true,
    noStore: true,
    body: json(CreateAgentClient),
    secrets: ['client_secret'],
    responses: { 201: { description: 'The client', schema: NewAgentClient } },
    problems: { 409: ['client_bound', 'quota_exceeded'] },
    change: async (change, { params, body }) => ({
      status: 201,
      body: await clients.add(change, params.agent_id, body),
    }),
  }),
  operation('deleteAgentClient', 'delete', '/agents/{agent_id}/clients/{agent_client_id}', {
    tag: 'Agents',
    summary: 'Let an MCP client be an agent no longer',
    description: 'All sessions that are bound to the agent end; the other clients’ users sign in again.',
    access: 'clients:write',
    isForPeople: true,
    responses: { 204: { description: 'The client is no agent' } },
    change: async (change, { params }) => {
      await clients.remove(change, params.agent_id, params.agent_client_id);
      return noContent;
    },
  }),
];
