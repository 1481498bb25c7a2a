import { AgentId, OrganizationId } from '@legate/ids';
import { PublicJwks } from '@legate/oauth';
import { z } from 'zod';

/** Prefix of the ids of clients that the management API has given to agents */
export const AGENT_CLIENT_PREFIX = 'lac_';
/** The prefix and a ULID, of which the first character has three bits */
const AGENT_CLIENT_ID = new RegExp(`^${AGENT_CLIENT_PREFIX}[0-7][0-9A-HJKMNP-TV-Z]{25}$`);

/**
 * Returns false for an id that the management API cannot have given to a client, so no request is needed to look it up.
 */
export const isAgentClientId = (clientId: string): boolean => AGENT_CLIENT_ID.test(clientId);

/**
 * An OAuth client that an organization has registered for one of its agents, at the hub's authorization server.
 * @see RFC 7591 §2 for the members that are named there
 */
export const AgentClientRecord = z
  .object({
    client_id: z.string().refine(isAgentClientId, { error: 'must be an id of a registered client' }),
    /** Users of this organization only */
    organization_id: OrganizationId,
    agent_id: AgentId,
    name: z.string().min(1).max(200),
    redirect_uris: z.array(z.string().max(512)).min(1).max(20),
    token_endpoint_auth_method: z.enum(['none', 'client_secret_basic', 'private_key_jwt']),
    /** SHA-256 of the secret, in hexadecimal; used with `client_secret_basic` */
    secret_hashes: z.array(z.string().regex(/^[0-9a-f]{64}$/)).default([]),
    /** Public keys; used with `private_key_jwt` */
    jwks: PublicJwks.optional(),
  })
  .refine(
    (client) =>
      (client.token_endpoint_auth_method === 'client_secret_basic') === client.secret_hashes.length > 0,
    {
      error: 'a secret belongs to client_secret_basic',
    },
  )
  .refine(
    (client) => (client.token_endpoint_auth_method === 'private_key_jwt') === (client.jwks !== undefined),
    {
      error: 'jwks belong to private_key_jwt',
    },
  );
export type AgentClientRecord = z.output<typeof AgentClientRecord>;

/** The body of a 404 for a client that does not exist. Any other 404 may come from a proxy. */
export const AgentClientNotFound = z.object({ code: z.literal('agent_client_not_found') });
