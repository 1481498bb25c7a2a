import { pageOf } from '@legate/pagination';
import { noContent, ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json } from '../../http/api/request-body.ts';
import type { Platform } from '../../platform/platform.ts';
import { ListByAge } from '../../storage/by-age.ts';
import type { Agents } from '../agents/service.ts';
import { AgentClient, CreateAgentClient, NewAgentClient } from './agent-client.ts';
import { type AgentClients, createAgentClients } from './service.ts';

/** Opens the feature of MCP clients that act as agents. */
export const openAgentClients = (
  { tenants, clock }: Platform,
  agents: Agents,
): { readonly operations: Operation[] } => ({
  operations: agentClientOperations(createAgentClients({ tenants, agents, clock })),
});

const agentClientOperations = (clients: AgentClients): Operation[] => [
  operation('listAgentClients', 'get', '/agents/{agent_id}/clients', {
    tag: 'Agents',
    summary: 'List the MCP clients of an agent',
    access: 'agents:read',
    query: ListByAge,
    responses: { 200: { description: 'A page of clients', schema: pageOf(AgentClient) } },
    handle: async ({ organizationId, params, query }) =>
      ok(await clients.list(organizationId, params.agent_id, query)),
  }),
  operation('createAgentClient', 'post', '/agents/{agent_id}/clients', {
    tag: 'Agents',
    summary: 'Let an MCP client act as an agent',
    description:
      'A user who signs in at the tool hub through this client can use the connectors that the agent is bound to, and ' +
      'nothing else. Send `client_id` for a client that publishes a Client ID Metadata Document; send `name`, ' +
      '`redirect_uris` and `token_endpoint_auth_method` to register a client for users of this organization only. The ' +
      'consent page of a registered client states that the organization registered it. A client with a document works as ' +
      'before in other organizations; in this one its users must sign in again. An agent has at most 20 clients, and a ' +
      'client acts as one agent of an organization only. Only this response contains a secret.',
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
    summary: 'Remove an MCP client from an agent',
    description:
      'Ends all sessions that are bound to the agent. Users of its other clients must sign in again.',
    access: 'clients:write',
    isForPeople: true,
    responses: { 204: { description: 'The client no longer acts as the agent' } },
    change: async (change, { params }) => {
      await clients.remove(change, params.agent_id, params.agent_client_id);
      return noContent;
    },
  }),
];
