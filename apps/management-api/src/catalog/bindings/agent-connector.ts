import { AgentId, ConnectorId } from '@legate/ids';
import { Approval, ListedToolName } from '@legate/management-contract';
import { extensionOf } from '@legate/operations';
import { z } from 'zod';
import { Instant } from '../../domain/instant.ts';
import { Scopes } from '../connectors/connector.ts';

/** Permission for an agent to use a connector, and its limits. */
export const AgentConnector = z
  .strictObject({
    agent_id: AgentId,
    connector_id: ConnectorId,
    scopes: z
      .array(z.string())
      .nullable()
      .describe(
        '`null`: all scopes of the connector. A scope that the connector no longer has is not granted',
      ),
    tools: z.array(z.string()).nullable().describe('`null`: all tools. Empty: none'),
    approval: Approval.describe(
      'Which calls need the user’s approval: all, all except calls of tools that declare themselves read-only, or none. ' +
        'The hub passes this to the agent’s host, which asks the user; the hub cannot verify an approval',
    ),
    created_at: Instant,
  })
  .meta({
    id: 'AgentConnector',
    description: 'A connector that an agent may use, limited to scopes and tools.',
  });
export type AgentConnector = z.output<typeof AgentConnector>;

/** An item of a list, which can be shown without further requests. */
export const ListedAgentConnector = AgentConnector.extend({
  agent_name: z.string(),
  connector_name: z.string(),
}).meta(
  extensionOf(AgentConnector, {
    id: 'ListedAgentConnector',
    description: 'A binding in a list, with the current names of agent and connector.',
  }),
);
export type ListedAgentConnector = z.output<typeof ListedAgentConnector>;

/** The response to a PUT */
export const PlacedAgentConnector = AgentConnector.extend({
  warnings: z
    .array(
      z.strictObject({
        pointer: z.string().describe('The part of the request, RFC 6901: `/tools/0`'),
        code: z.enum(['tool_not_listed']),
        detail: z.string(),
      }),
    )
    .optional()
    .describe(
      'Accepted values that may be mistakes: tools that the tool server has not listed for any user so far',
    ),
}).meta(
  extensionOf(AgentConnector, {
    id: 'PlacedAgentConnector',
    description: 'A binding as it was stored, with warnings about possible mistakes.',
  }),
);
export type PlacedAgentConnector = z.output<typeof PlacedAgentConnector>;

/** Replaces a whole binding: members that are not sent get their defaults. */
export const PutAgentConnector = z.strictObject({
  scopes: Scopes.nullable().default(null),
  tools: z
    .array(ListedToolName)
    .max(200)
    .transform((tools) => [...new Set(tools)])
    .nullable()
    .default(null),
  approval: Approval.default('write'),
});
export type PutAgentConnector = z.output<typeof PutAgentConnector>;
