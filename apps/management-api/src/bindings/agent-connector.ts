import { AgentId, ConnectorId } from '@legate/ids';
import { Approval } from '@legate/management-contract';
import { z } from 'zod';
import { Scopes } from '../connectors/connector.ts';

const ToolName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Must not contain control characters.' });

/** That an agent may use a connector, and how much of it. */
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
      'Before which calls the agent’s host is to ask its user: all, all but those of tools that say they only read, or none. ' +
        'The hub tells the host, and cannot see whether it asked',
    ),
    /** ISO 8601, UTC, milliseconds */
    created_at: z.iso.datetime({ precision: 3 }),
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
