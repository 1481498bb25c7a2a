import { AgentId, ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { z } from 'zod';

/** Why something is revoked, where that makes a difference. For any other reason, calls end and tokens are deleted. */
export const REVOCATION_REASON = {
  /** A connector has a new secret in the place of its old one: no call is cut short, and no consent ends. */
  newSecret: 'connector.secret_set',
  /** The fallback of a connector was approved: no token ends, but the connector is read anew. */
  fallbackApproved: 'connector.fallback_approved',
} as const;

/**
 * What the hub is told to forget: a connector, a user or an agent; with none of them, all that it keeps for the
 * organization.
 */
export const RevocationRequest = z
  .strictObject({
    organization_id: OrganizationId,
    connector_id: ConnectorId.optional(),
    /** The hub serves no `sub` with a colon. */
    user_id: UserId.regex(/^[^:]*$/).optional(),
    /** No token is revoked, but what the agent may do is read anew. */
    agent_id: AgentId.optional(),
    /** A code such as `connector.updated`: for the log, and see `REVOCATION_REASON` */
    reason: z.string().regex(/^[a-z_.]{1,64}$/),
  })
  .refine((body) => [body.connector_id, body.user_id, body.agent_id].filter(Boolean).length <= 1, {
    error: 'name a connector, a user or an agent',
  });
export type RevocationRequest = z.output<typeof RevocationRequest>;
