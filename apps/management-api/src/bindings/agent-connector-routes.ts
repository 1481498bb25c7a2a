import { pageOf } from '@legate/pagination';
import { noContent, ok, placed } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';
import { optionalJson } from '../api/request-body.ts';
import { ListByAge } from '../storage/by-age.ts';
import { AgentConnector, PutAgentConnector } from './agent-connector.ts';
import type { AgentConnectors } from './agent-connectors.ts';

/** The connectors that an agent may use. */
export const agentConnectorOperations = (agentConnectors: AgentConnectors): Operation[] => [
  operation('listAgentConnectors', 'get', '/agents/{agent_id}/connectors', {
    tag: 'Agents',
    summary: 'List the connectors of an agent',
    access: 'agents:read',
    query: ListByAge,
    responses: { 200: { description: 'A page of bindings', schema: pageOf(AgentConnector) } },
    handle: async ({ organizationId, params, query }) =>
      ok(await agentConnectors.list(organizationId, params.agent_id, query)),
  }),
  operation('putAgentConnector', 'put', '/agents/{agent_id}/connectors/{connector_id}', {
    tag: 'Agents',
    summary: 'Let an agent use a connector',
    description: 'Replaces the binding whole: what is not sent has its default. Without a body too.',
    access: 'agents:write',
    body: optionalJson(PutAgentConnector),
    responses: {
      200: { description: 'The existing binding', schema: AgentConnector },
      201: { description: 'The new binding', schema: AgentConnector },
    },
    change: async (change, { params, body }) => {
      const { agent_id, connector_id } = params;
      const { binding, added } = await agentConnectors.put(change, agent_id, connector_id, body);
      return placed(added, binding);
    },
  }),
  operation('deleteAgentConnector', 'delete', '/agents/{agent_id}/connectors/{connector_id}', {
    tag: 'Agents',
    summary: 'Take a connector from an agent',
    access: 'agents:write',
    responses: { 204: { description: 'The agent may not use it any longer' } },
    change: async (change, { params }) => {
      await agentConnectors.remove(change, params.agent_id, params.connector_id);
      return noContent;
    },
  }),
];
