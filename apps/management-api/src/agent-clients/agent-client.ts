import { AgentId } from '@legate/ids';
import { clientDocumentUrl } from '@legate/oauth';
import { z } from 'zod';
import { Instant } from '../domain/instant.ts';

/** An MCP client that is an agent in this organization. */
export const AgentClient = z
  .strictObject({
    id: z.string(),
    agent_id: AgentId,
    client_id: z.string().describe('Address of the client’s document (Client ID Metadata Document)'),
    created_at: Instant,
  })
  .meta({
    id: 'AgentClient',
    description:
      'An MCP client that is an agent: a user who signs in through it has what the agent is bound to.',
  });
export type AgentClient = z.output<typeof AgentClient>;

export const CreateAgentClient = z.strictObject({
  client_id: z
    .string()
    .max(512)
    .refine((clientId) => clientDocumentUrl(clientId) !== undefined, {
      error: 'Must be the https address of a client’s document, with a path, as URLs are normalized.',
      params: { code: 'invalid_format' },
    }),
});
export type CreateAgentClient = z.output<typeof CreateAgentClient>;
