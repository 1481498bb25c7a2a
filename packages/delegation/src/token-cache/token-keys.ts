import type { ConnectorId, OrganizationId, UserId } from '@legate/ids';

/** The user and connector of a token */
export interface TokenOwner {
  readonly organizationId: OrganizationId;
  readonly connectorId: ConnectorId;
  /** A user id has no colon here, unlike the `sub` of some providers, because a colon separates the parts of a key. */
  readonly userId: UserId;
  /**
   * Identifies the connector's configuration. An administrator may change its resource, where a token for the old
   * resource must not be sent, or remove scopes.
   */
  readonly registration: string;
  /** Set for tokens of agents: if the agent has fewer scopes than the connector, or if the tokens contain the agent. */
  readonly scopesKey?: string | undefined;
}

/** Selects all tokens of an organization, those of one of its connectors, or those of one of its users. */
export type RevokedTokens =
  | { readonly organizationId: OrganizationId; readonly connectorId?: never; readonly userId?: never }
  | { readonly organizationId: OrganizationId; readonly connectorId: ConnectorId; readonly userId?: never }
  | { readonly organizationId: OrganizationId; readonly connectorId?: never; readonly userId: UserId };

/**
 * Selects a user's tokens in every organization: the identity provider identifies the user, not the organization they
 * act in.
 */
export interface TokensOfUser {
  readonly organizationId?: never;
  readonly connectorId?: never;
  readonly userId: UserId;
}

/**
 * `token:{org_id}:{connector_id}:{user_id}` (product spec §5). A token with fewer scopes has a separate key, with a
 * connector part that is not a valid id.
 * @throws {Error} for an id with a colon, which could make two owners' keys equal
 */
export function tokenKey(owner: Omit<TokenOwner, 'registration'>): string {
  const { organizationId, connectorId, userId, scopesKey } = owner;
  checkUser(userId);
  const connector = scopesKey === undefined ? connectorId : `${connectorId}@${scopesKey}`;
  return `token:${organizationId}:${connector}:${userId}`;
}

function checkUser(userId: UserId): void {
  if (userId.includes(':')) throw new Error('a user in a token key has a colon');
}

export function epochKey({ organizationId, connectorId, userId }: RevokedTokens | TokensOfUser): string {
  if (userId !== undefined) checkUser(userId);
  return `epoch:${organizationId ?? ''}:${connectorId ?? ''}:${userId ?? ''}`;
}

/**
 * Returns the keys of the epochs that apply to a token. The token's key must have been built before, because that
 * checks the user.
 */
export const epochKeysOf = ({ organizationId, connectorId, userId }: TokenOwner): string[] => [
  `epoch:${organizationId}::`,
  `epoch:${organizationId}:${connectorId}:`,
  `epoch:${organizationId}::${userId}`,
  `epoch:::${userId}`,
];

/** Number of these epochs: of the organization, the connector, the user at the connector, and the user */
export const EPOCHS = 4;
