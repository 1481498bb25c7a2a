import { AgentId, ConnectorId, OrganizationId } from '@legate/ids';
import { z } from 'zod';

/** A `sub`; one with a colon has never been served. */
const userId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^:]*$/);

/** `POST /internal/v1/revocations`. With nothing but the organization: all of its tokens. */
export const RevocationRequest = z
  .strictObject({
    organization_id: OrganizationId,
    connector_id: ConnectorId.optional(),
    user_id: userId.optional(),
    /** No token is revoked, but what the agent may do is read anew. */
    agent_id: AgentId.optional(),
    /** A code such as `connector.updated`: for the log, but that `connector.secret_set` cuts no call short and ends no consent, and `connector.fallback_approved` ends nothing */
    reason: z.string().regex(/^[a-z_.]{1,64}$/),
  })
  .refine((body) => [body.connector_id, body.user_id, body.agent_id].filter(Boolean).length <= 1, {
    error: 'name a connector, a user or an agent',
  });
export type RevocationRequest = z.output<typeof RevocationRequest>;
