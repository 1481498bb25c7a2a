import type { ConnectorId } from '@legate/ids';
/** One per connector: a response at another connector's URI is a mix-up (RFC 9700 §4.4.2.2). */
export const redirectUriOf = (publicUrl: string, connectorId: ConnectorId): string =>
  `${publicUrl}/oauth/callback/${connectorId}`;

/**
 * Address of the client metadata document for a connector's authorization server, which is also the `client_id` there.
 * One per connector, like its redirect URI; the extension prevents an id from being a dot segment. docs/adr/0040
 */
export const clientDocumentUrl = (publicUrl: string, connectorId: ConnectorId): string =>
  `${publicUrl}/oauth/clients/${connectorId}.json`;
