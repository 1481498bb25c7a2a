import type { ConnectorId } from '@legate/ids';
/** One per connector: a response at another connector's URI is a mix-up (RFC 9700 §4.4.2.2). */
export const redirectUriOf = (publicUrl: string, connectorId: ConnectorId): string =>
  `${publicUrl}/oauth/callback/${connectorId}`;

/**
 * Path at which a user connects an account of theirs. There is no secret in it, so an agent may show it.
 * @param scopes to ask for; empty: those of the connector
 */
export function connectPagePath(connectorId: string, scopes: readonly string[]): string {
  const page = `/connect/${encodeURIComponent(connectorId)}`;
  return scopes.length === 0 ? page : `${page}?${new URLSearchParams({ scope: scopes.join(' ') })}`;
}

/**
 * Address of the client metadata document for a connector's authorization server, which is also the `client_id` there.
 * One per connector, like its redirect URI; the extension prevents an id from being a dot segment. docs/adr/0040
 */
export const clientDocumentUrl = (publicUrl: string, connectorId: ConnectorId): string =>
  `${publicUrl}/oauth/clients/${connectorId}.json`;
