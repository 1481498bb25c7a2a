import type { ConnectorId, OrganizationId, UserId } from '@legate/ids';

/** The user and connector of a token */
export interface TokenOwner {
  readonly organizationId: OrganizationId;
  readonly connectorId: ConnectorId;
  /** Has no colon, unlike the `sub` of some providers: a colon separates the parts of a key. */
  readonly userId: UserId;
  /**
   * Identifies the connector's configuration. An administrator may point it elsewhere, where a token for the old
   * resource must not go, or remove scopes.
   */
  readonly registration: string;
  /** Set for tokens of agents: with fewer scopes than the connector has, or with the agent in them. */
  readonly scopesKey?: string | undefined;
}

/** All tokens of an organization, those of one of its connectors, or those of one of its users. */
export type RevokedTokens =
  | { readonly organizationId: OrganizationId; readonly connectorId?: never; readonly userId?: never }
  | { readonly organizationId: OrganizationId; readonly connectorId: ConnectorId; readonly userId?: never }
  | { readonly organizationId: OrganizationId; readonly connectorId?: never; readonly userId: UserId };

/** A user's tokens in every organization: the identity provider names the user, not the organization they act in. */
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

/** The epochs that a token counts in; its key has been made, which has checked the user. */
export const epochKeysOf = ({ organizationId, connectorId, userId }: TokenOwner): string[] => [
  `epoch:${organizationId}::`,
  `epoch:${organizationId}:${connectorId}:`,
  `epoch:${organizationId}::${userId}`,
  `epoch:::${userId}`,
];

/** Number of these: those of the organization, the connector, the user there, and the user */
export const EPOCHS = 4;
