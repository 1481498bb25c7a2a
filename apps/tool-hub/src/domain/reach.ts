import { hash } from 'node:crypto';
import type { AgentId, ConnectorId, OrganizationId, UserId } from '@legate/ids';

/**
 * What an end applies to: a session; the sessions of a sign-in, of a user (in one or all organizations), of an
 * organization, or of an agent. Revoking a connector cancels its calls and ends no session.
 */
export type Reach =
  | { readonly key: string }
  | { readonly sid: string }
  /** A user whose `sub` is not their id, if only that is known */
  | { readonly subject: string }
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
  /** `sub` of the ID token, if it is not the user's id */
  readonly subject?: string | undefined;
  /** The agent that the session is bound to */
  readonly agentId?: AgentId | undefined;
}

/**
 * Returns a name for the store and for the channel between replicas. It is hashed, because `sub` and `sid` are private
 * and may have any length and characters.
 */
export function reachName(reach: Reach): string {
  const parts =
    'key' in reach
      ? ['key', reach.key]
      : 'sid' in reach
        ? ['sid', reach.sid]
        : 'subject' in reach
          ? ['subject', reach.subject]
          : 'connectorId' in reach && reach.connectorId !== undefined
            ? ['connector', reach.organizationId, reach.connectorId]
            : 'agentId' in reach && reach.agentId !== undefined
              ? ['agent', reach.organizationId, reach.agentId]
              : ['user', reach.organizationId ?? null, reach.userId ?? null];
  return `session-end:${hash('sha256', JSON.stringify(parts), 'base64url')}`;
}

/**
 * Returns the name of a user's sessions at tool servers, for the same channel: these sessions end, and the user's
 * sign-ins may continue. Without `organizationId`: in all organizations
 */
export const toolSessionsName = (user: {
  readonly userId: UserId;
  readonly organizationId?: OrganizationId;
}): string => `tool-${reachName(user)}`;

/** Returns everything whose end also ends this session. Stored sessions rely on the order: add new ones at the end. */
export const reachesOf = ({ userId, organizationId, sid, subject, agentId }: Belonging): readonly Reach[] => [
  { organizationId },
  { organizationId, userId },
  { userId },
  ...(sid === undefined ? [] : [{ sid }]),
  ...(agentId === undefined ? [] : [{ organizationId, agentId }]),
  ...(subject === undefined ? [] : [{ subject }]),
];
