import { hash } from 'node:crypto';
import type { ConnectorId, OrganizationId, UserId } from '@legate/ids';

/**
 * What ends at once: a session, those of a sign-in, of a user in whatever organization or in one, of an organization. Of a
 * connector no session ends, but what runs there.
 */
export type Reach =
  | { readonly key: string }
  | { readonly sid: string }
  | { readonly userId: UserId; readonly organizationId?: OrganizationId }
  | { readonly organizationId: OrganizationId; readonly userId?: never; readonly connectorId?: never }
  | OfConnector;

export interface OfConnector {
  readonly organizationId: OrganizationId;
  readonly connectorId: ConnectorId;
  readonly userId?: never;
}

/** What a session, or a request without one, belongs to. */
export interface Belonging {
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  readonly sid?: string | undefined;
}

/**
 * A name in the store and on the channel between replicas. Hashed, since `sub` and `sid` are of any length and alphabet,
 * and nobody else's business.
 */
export function reachName(reach: Reach): string {
  const parts =
    'key' in reach
      ? ['key', reach.key]
      : 'sid' in reach
        ? ['sid', reach.sid]
        : 'connectorId' in reach && reach.connectorId !== undefined
          ? ['connector', reach.organizationId, reach.connectorId]
          : ['user', reach.organizationId ?? null, reach.userId ?? null];
  return `session-end:${hash('sha256', JSON.stringify(parts), 'base64url')}`;
}

/** All that can end it, besides its own end */
export const reachesOf = ({ userId, organizationId, sid }: Belonging): readonly Reach[] => [
  { organizationId },
  { organizationId, userId },
  { userId },
  ...(sid === undefined ? [] : [{ sid }]),
];
