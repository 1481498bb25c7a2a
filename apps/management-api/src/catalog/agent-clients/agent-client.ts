import { AgentId } from '@legate/ids';
import { clientDocumentUrl, PublicJwks } from '@legate/oauth';
import { extensionOf } from '@legate/operations';
import { redirectTargetOf } from '@legate/service/outbound';
import { z } from 'zod';
import { DisplayName } from '../../domain/display-name.ts';
import { Instant } from '../../domain/instant.ts';

/** How a client authenticates at the hub's token endpoint (RFC 7591 §2) */
const AuthMethod = z.enum(['none', 'client_secret_basic', 'private_key_jwt']);

/** An MCP client that acts as an agent in this organization. */
export const AgentClient = z
  .strictObject({
    id: z.string(),
    agent_id: AgentId,
    client_id: z
      .string()
      .describe('URL of the client’s Client ID Metadata Document, or `lac_…` for a registered client'),
    name: z
      .string()
      .nullable()
      .describe(
        'Name of a registered client, as users see it. Other clients have their name in their document',
      ),
    redirect_uris: z.array(z.string()).nullable().describe('Of a registered client'),
    token_endpoint_auth_method: AuthMethod.nullable().describe('Of a registered client'),
    created_at: Instant,
  })
  .meta({
    id: 'AgentClient',
    description:
      'An MCP client that acts as an agent: users who sign in through it can use the connectors that the agent is bound to.',
  });
export type AgentClient = z.output<typeof AgentClient>;

/** A new client with its secret, which no later response contains. */
export const NewAgentClient = AgentClient.extend({
  client_secret: z
    .string()
    .nullable()
    .describe('Secret of a client with `client_secret_basic`. Only in this response; `null` in a replay'),
}).meta(
  extensionOf(AgentClient, {
    id: 'NewAgentClient',
    description: 'A new client of an agent, with its secret if it has one.',
  }),
);
export type NewAgentClient = z.output<typeof NewAgentClient>;

const ClientDocumentUrl = z
  .string()
  .max(512)
  .refine((clientId) => clientDocumentUrl(clientId) !== undefined, {
    error: 'Must be the https URL of a client’s document, with a path, in normalized form.',
    params: { code: 'invalid_format' },
  });

/**
 * The operator decides which private-use schemes are allowed: clients that need one are listed in the hub's
 * `CLIENTS_FILE`.
 */
const RedirectUri = z.string().refine((uri) => redirectTargetOf(uri, []) !== undefined, {
  error: 'Must be https, or http on 127.0.0.1, [::1] or localhost, without a fragment.',
  params: { code: 'invalid_format' },
});

const MAX_JWKS_LENGTH = 16_384;

const REGISTERED = ['name', 'redirect_uris', 'token_endpoint_auth_method'] as const;

export const CreateAgentClient = z
  .strictObject({
    client_id: ClientDocumentUrl.optional(),
    name: DisplayName.optional(),
    redirect_uris: z.array(RedirectUri).min(1).max(20).optional(),
    token_endpoint_auth_method: AuthMethod.optional(),
    jwks: PublicJwks.refine((jwks) => JSON.stringify(jwks).length <= MAX_JWKS_LENGTH, {
      error: `Must be at most ${MAX_JWKS_LENGTH} characters long.`,
      params: { code: 'too_long' },
    })
      .optional()
      .describe('Public keys (RFC 7517 §5), for `private_key_jwt`'),
  })
  .superRefine((client, context) => {
    const refuse = (member: string, code: string, message: string) =>
      context.addIssue({ code: 'custom', path: [member], message, params: { code } });
    if (client.client_id !== undefined) {
      for (const member of [...REGISTERED, 'jwks'] as const)
        if (client[member] !== undefined)
          refuse(
            member,
            'unknown_field',
            'Not allowed with client_id: the client’s document has this value.',
          );
      return;
    }
    if (REGISTERED.every((member) => client[member] === undefined))
      return refuse(
        'client_id',
        'required',
        `Send client_id, or send ${REGISTERED.join(', ')} to register a client.`,
      );
    for (const member of REGISTERED)
      if (client[member] === undefined) refuse(member, 'required', 'Required to register a client.');
    if ((client.token_endpoint_auth_method === 'private_key_jwt') !== (client.jwks !== undefined))
      refuse(
        'jwks',
        client.jwks ? 'unknown_field' : 'required',
        'Required with private_key_jwt, and not allowed otherwise.',
      );
  });
export type CreateAgentClient = z.output<typeof CreateAgentClient>;
