import { pageOf } from '@legate/pagination';
import { noContent, ok, placedVersion, versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { putPreconditions } from '../../http/api/preconditions.ts';
import { optionalJson } from '../../http/api/request-body.ts';
import { ListByAge } from '../../storage/by-age.ts';
import {
  AgentConnector,
  ListedAgentConnector,
  PlacedAgentConnector,
  PutAgentConnector,
} from './agent-connector.ts';
import type { AgentConnectors } from './agent-connectors.ts';

const found = { description: 'The binding', schema: AgentConnector, headers: ['ETag'] } as const;

const placed = { schema: PlacedAgentConnector, headers: ['ETag'] } as const;

/** Returns the operations for the connectors that an agent may use. */
export const agentConnectorOperations = (agentConnectors: AgentConnectors): Operation[] => [
  operation('listAgentConnectors', 'get', '/agents/{agent_id}/connectors', {
    tag: 'Agents',
    summary: 'List the connectors of an agent',
    access: 'agents:read',
    query: ListByAge,
    responses: { 200: { description: 'A page of bindings', schema: pageOf(ListedAgentConnector) } },
    handle: async ({ organizationId, params, query }) =>
      ok(await agentConnectors.list(organizationId, params.agent_id, query)),
  }),
  operation('getAgentConnector', 'get', '/agents/{agent_id}/connectors/{connector_id}', {
    tag: 'Agents',
    summary: 'Get the binding of a connector to an agent',
    access: 'agents:read',
    responses: { 200: found },
    handle: async ({ organizationId, params }) =>
      versioned(await agentConnectors.find(organizationId, params.agent_id, params.connector_id)),
  }),
  operation('putAgentConnector', 'put', '/agents/{agent_id}/connectors/{connector_id}', {
    tag: 'Agents',
    summary: 'Let an agent use a connector',
    description:
      'Replaces the whole binding: every field that is not sent gets its default. The body is optional. A tool that the tool server has not listed so far is accepted, with a warning.',
    access: 'agents:write',
    body: optionalJson(PutAgentConnector),
    ifMatch: true,
    ifNoneMatch: true,
    responses: {
      200: { ...placed, description: 'The existing binding' },
      201: { ...placed, description: 'The new binding' },
    },
    change: async (change, { params, body, req }) => {
      const { agent_id, connector_id } = params;
      const { binding, added } = await agentConnectors.put(
        change,
        agent_id,
        connector_id,
        putPreconditions(req),
        body,
      );
      return placedVersion(added, binding);
    },
  }),
  operation('deleteAgentConnector', 'delete', '/agents/{agent_id}/connectors/{connector_id}', {
    tag: 'Agents',
    summary: 'Remove a connector from an agent',
    access: 'agents:write',
    ifMatch: true,
    responses: { 204: { description: 'The agent may no longer use the connector' } },
    change: async (change, { params, ifMatch }) => {
      await agentConnectors.remove(change, params.agent_id, params.connector_id, ifMatch);
      return noContent;
    },
  }),
];
