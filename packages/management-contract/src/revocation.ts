import { AgentId, ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { z } from 'zod';

/**
 * The reasons for a revocation that the hub handles specially. For any other reason, calls end and tokens are deleted.
 */
export const REVOCATION_REASON = {
  /** A new secret replaced a connector's old one: running calls continue and consents remain. */
  newSecret: 'connector.secret_set',
  /** The fallback of a connector was approved: no token is revoked, but the hub fetches the connector again. */
  fallbackApproved: 'connector.fallback_approved',
  /** A user's access was revoked, but they remain a member: they must sign in again. */
  accessRevoked: 'member.access_revoked',
  /** An agent was deleted, or its status has changed: the sessions that are bound to it end. */
  agentDeleted: 'agent.deleted',
  agentStatus: 'agent.updated',
  /** A client no longer belongs to this agent: the sessions that are bound to the agent end. */
  agentClientRemoved: 'agent.client_removed',
} as const;

/** The target of a revocation: a connector, a user or an agent. If none is given, the whole organization. */
export const RevocationRequest = z
  .strictObject({
    organization_id: OrganizationId,
    connector_id: ConnectorId.optional(),
    /** Must not contain a colon, because the hub refuses a `sub` with one. */
    user_id: UserId.regex(/^[^:]*$/).optional(),
    /** Revokes no token of a tool server, but the hub fetches the agent's bindings again. See `REVOCATION_REASON` */
    agent_id: AgentId.optional(),
    /** A code such as `connector.updated`, for the log. Codes in `REVOCATION_REASON` are handled specially. */
    reason: z.string().regex(/^[a-z_.]{1,64}$/),
  })
  .refine((body) => [body.connector_id, body.user_id, body.agent_id].filter(Boolean).length <= 1, {
    error: 'name a connector, a user or an agent',
  });
export type RevocationRequest = z.output<typeof RevocationRequest>;
