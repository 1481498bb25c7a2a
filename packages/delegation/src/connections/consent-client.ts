import type { ConnectorId } from '@legate/ids';
import type { Connector } from '../domain/connector.ts';
import type { ConnectorClientAuth } from '../domain/method-settings.ts';
import type { WhereToConsent } from '../oauth-peers/discovery/discover-user-authorization.ts';

/** The settings for the consent of a connector's users */
export interface ConsentSettings {
  /**
   * Our client at that authorization server; undefined: none is registered, and we are known there by our own
   * Client ID Metadata Document for this connector
   */
  readonly clientId: string | undefined;
  /** Undefined: a public client, as every client without registration is */
  readonly clientAuth: ConnectorClientAuth | undefined;
  /** The only authorization server that may be used; undefined: the tool server's own */
  readonly issuer: string | undefined;
}

/** Our client at the authorization server to which a connector's users are sent. */
export interface ConsentClient {
  readonly clientId: string;
  /** Undefined: a public client */
  readonly clientAuth: ConnectorClientAuth | undefined;
  /** The only authorization server that may be used; undefined: the tool server's own */
  readonly issuer: string | undefined;
  /** True if `clientId` is the URL of our metadata document, without a registration */
  readonly isDocument: boolean;
}

/** @param settings one of the connector's `methods` */
export type ConsentClientOf = (connector: Pick<Connector, 'id'>, settings: ConsentSettings) => ConsentClient;

/**
 * Returns the client of a connector. A registered client takes precedence (MCP authorization, "Client Registration"):
 * an administrator has configured it.
 * @param documentUrlOf returns the URL of our Client ID Metadata Document for a connector
 */
export const createConsentClients =
  (documentUrlOf: (connectorId: ConnectorId) => string): ConsentClientOf =>
  ({ id }, { clientId, clientAuth, issuer }) =>
    clientId === undefined
      ? { clientId: documentUrlOf(id), clientAuth: undefined, issuer, isDocument: true }
      : { clientId, clientAuth, issuer, isDocument: false };

export const whereToConsent = (resource: string, client: ConsentClient): WhereToConsent => ({
  resource,
  issuer: client.issuer,
  isPublicClient: client.clientAuth === undefined,
  clientDocument: client.isDocument ? client.clientId : undefined,
});
