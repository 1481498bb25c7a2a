import { hash } from 'node:crypto';
import type { AgentId, ConnectorId, OrganizationId, UserId } from '@legate/ids';

/**
 * What an end applies to: a session, those of a sign-in, of a user (in one or all organizations), or of an
 * organization, or those that are bound to an agent. Revoking a connector cancels its calls, not sessions.
 */
export type Reach =
  | { readonly key: string }
  | { readonly sid: string }
  | { readonly userId: UserId; readonly organizationId?: OrganizationId }
  | {
      readonly organizationId: OrganizationId;
      readonly userId?: never;
      readonly connectorId?: never;
      readonly agentId?: never;
    }
  | OfConnector
  | OfAgent;

export interface OfConnector {
  readonly organizationId: OrganizationId;
  readonly connectorId: ConnectorId;
  readonly userId?: never;
  readonly agentId?: never;
}

export interface OfAgent {
  readonly organizationId: OrganizationId;
  readonly agentId: AgentId;
  readonly userId?: never;
  readonly connectorId?: never;
}

/** The owner of a session, or of a request without one. */
export interface Belonging {
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  readonly sid?: string | undefined;
  /** The agent that it is bound to */
  readonly agentId?: AgentId | undefined;
}

/**
 * A name in the store and on the channel between replicas. Hashed, since `sub` and `sid` may have any length and
 * characters, and are private.
 */
export function reachName(reach: Reach): string {
  const parts =
    'key' in reach
      ? ['key', reach.key]
      : 'sid' in reach
        ? ['sid', reach.sid]
        : 'connectorId' in reach && reach.connectorId !== undefined
          ? ['connector', reach.organizationId, reach.connectorId]
          : 'agentId' in reach && reach.agentId !== undefined
            ? ['agent', reach.organizationId, reach.agentId]
            : ['user', reach.organizationId ?? null, reach.userId ?? null];
  return `session-end:${hash('sha256', JSON.stringify(parts), 'base64url')}`;
}

/**
 * Names the sessions of a user at tool servers, on the same channel, where these end and sign-ins of the user may go on.
 * Without `organizationId`: in all organizations
 */
export const toolSessionsName = (user: {
  readonly userId: UserId;
  readonly organizationId?: OrganizationId;
}): string => `tool-${reachName(user)}`;

/** Everything whose end also ends it */
export const reachesOf = ({ userId, organizationId, sid, agentId }: Belonging): readonly Reach[] => [
  { organizationId },
  { organizationId, userId },
  { userId },
  ...(sid === undefined ? [] : [{ sid }]),
  ...(agentId === undefined ? [] : [{ organizationId, agentId }]),
];
