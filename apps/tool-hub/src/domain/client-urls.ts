import type { ConnectorId } from '@legate/ids';
/**
 * Returns the redirect URI of a connector. Each has its own: a response at another connector's URI is a mix-up (RFC
 * 9700 §4.4.2.2).
 */
export const redirectUriOf = (publicUrl: string, connectorId: ConnectorId): string =>
  `${publicUrl}/oauth/callback/${connectorId}`;

/**
 * Returns the path at which users connect their account. It contains no secret, so an agent may show it.
 * @param scopes to request; empty: those of the connector
 */
export function connectPagePath(connectorId: string, scopes: readonly string[]): string {
  const page = `/connect/${encodeURIComponent(connectorId)}`;
  return scopes.length === 0 ? page : `${page}?${new URLSearchParams({ scope: scopes.join(' ') })}`;
}

/**
 * Returns the URL of the client metadata document for a connector's authorization server, which is also the `client_id`
 * there. Each connector has its own, like its redirect URI; the file extension prevents an id from being a dot segment.
 * docs/adr/0040
 */
export const clientDocumentUrl = (publicUrl: string, connectorId: ConnectorId): string =>
  `${publicUrl}/oauth/clients/${connectorId}.json`;
