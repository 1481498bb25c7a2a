import { AgentId, ConnectorId } from '@legate/ids';
import { Approval } from '@legate/management-contract';
import { z } from 'zod';
import { Scopes } from '../connectors/connector.ts';
import { Instant } from '../domain/instant.ts';

const ToolName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Must not contain control characters.' });

/** Permission for an agent to use a connector, and its limits. */
export const AgentConnector = z
  .strictObject({
    agent_id: AgentId,
    connector_id: ConnectorId,
    scopes: z
      .array(z.string())
      .nullable()
      .describe('null: all of the connector. A scope that the connector has no longer is not granted'),
    tools: z.array(z.string()).nullable().describe('null: all; empty: none'),
    approval: Approval.describe(
      'Which calls need the user’s approval, which the agent’s host asks for: all, all except tools that declare themselves read-only, or none. ' +
        'The hub passes this on to the host, and cannot verify an approval',
    ),
    created_at: Instant,
  })
  .meta({ id: 'AgentConnector', description: 'That an agent may use a connector, and how much of it.' });
export type AgentConnector = z.output<typeof AgentConnector>;

/** Replaces a binding whole: what is not sent has its default. */
export const PutAgentConnector = z.strictObject({
  scopes: Scopes.nullable().default(null),
  tools: z
    .array(ToolName)
    .max(200)
    .transform((tools) => [...new Set(tools)])
    .nullable()
    .default(null),
  approval: Approval.default('write'),
});
export type PutAgentConnector = z.output<typeof PutAgentConnector>;
