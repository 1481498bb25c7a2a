import {
  type Connections,
  type ConsentClientOf,
  connectionOwnerOf,
  consentRegistrationOf,
  consentSettingsOf,
  createAuthorizationClient,
  type DiscoverUserAuthorization,
  isMadeWith,
  type KeptConnection,
  revokeAt,
  type TokenCache,
  whereToConsent,
} from '@legate/delegation';
import { epochSeconds } from '@legate/jwt';
import type { Logger } from '@legate/service';
import type { RecordUserAction } from '../../audit/user-event.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import { noConnections } from '../../refusals/connection-problems.ts';

export interface ConnectionStatus {
  readonly isConnected: boolean;
  readonly scopes: readonly string[];
  /** Time by which the user must connect again; undefined if no account is connected */
  readonly expiresAt: Date | undefined;
}

/** The accounts that a user has connected, which that user can see and disconnect */
export type ConnectedAccounts = ReturnType<typeof createConnectedAccounts>;

export function createConnectedAccounts(deps: {
  connections: Connections;
  cache: Pick<TokenCache, 'revoke'>;
  discover: DiscoverUserAuthorization;
  clientOf: ConsentClientOf;
  fetch: typeof globalThis.fetch;
  recordUserAction: RecordUserAction;
  clock: () => Date;
  log: Logger;
}) {
  const { connections, log } = deps;

  async function revokeThere(connector: Connector, kept: KeptConnection): Promise<void> {
    const settings = consentSettingsOf(connector);
    if (!settings) return;
    const client = deps.clientOf(connector, settings);
    const discovery = await deps.discover(whereToConsent(connector.resource, client));
    // A token is sent only to the authorization server, and used only with the client, that it was issued for.
    if (discovery.kind !== 'found') return;
    const { authorization } = discovery;
    if (!isMadeWith(kept, authorization.issuer, client.clientId)) return;
    await revokeAt(await createAuthorizationClient(authorization, client, deps.fetch), kept);
  }

  /** @throws {Problem} 409 for a connector without connections */
  async function statusOf(caller: Caller, connector: Connector): Promise<ConnectionStatus> {
    const settings = consentSettingsOf(connector);
    if (!settings) throw noConnections(connector);
    const { connection } = await connections.find(connectionOwnerOf(caller, connector));
    const isOurs =
      connection?.registration === consentRegistrationOf(connector, deps.clientOf(connector, settings));
    const endsAt =
      connection && (connection.refreshToken === undefined ? connection.expiresAt : connection.endsAt);
    if (!connection || !isOurs || endsAt === undefined || endsAt <= epochSeconds(deps.clock()))
      return { isConnected: false, scopes: [], expiresAt: undefined };
    return { isConnected: true, scopes: connection.scopes, expiresAt: new Date(endsAt * 1000) };
  }

  return {
    statusOf,
    /** Returns true if users connect accounts at the connector. */
    isUsedBy: (connector: Connector): boolean => consentSettingsOf(connector) !== undefined,

    /**
     * Ends the connection in all processes, even one that is just being created or refreshed, and at the authorization
     * server if possible.
     * @throws {Problem} 409
     * @throws {Error} if the store cannot be reached; the connection may then still exist
     */
    async disconnect(caller: Caller, connector: Connector): Promise<void> {
      if (!consentSettingsOf(connector)) throw noConnections(connector);
      const owner = connectionOwnerOf(caller, connector);
      const { organizationId, userId, connectorId } = owner;
      const { connection } = await connections.find(owner);
      await connections.revoke({ organizationId, connectorId, userId });
      // The token cache has no epoch per user and connector, so this also drops the user's tokens for other connectors.
      await deps.cache.revoke({ organizationId, userId });
      if (!connection) return;
      deps.recordUserAction('consent.withdrawn', {
        organizationId,
        userId,
        connector,
        requestId: caller.origin?.requestId,
      });
      await connections.replace(owner, connection, undefined);
      await revokeThere(connector, connection).catch((err: unknown) => {
        log.warn({ err, connector_id: connectorId }, 'connection: tokens could not be revoked');
      });
      log.info(
        { organization_id: organizationId, user_id: userId, connector_id: connectorId },
        'connection: disconnected',
      );
    },
  };
}
