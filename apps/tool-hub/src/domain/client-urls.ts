import type { ConnectorId } from '@legate/ids';
/** One for each connector: an answer that arrives at another one's was meant for it (RFC 9700 §4.4.2.2). */
export const redirectUriOf = (publicUrl: string, connectorId: ConnectorId): string =>
  `${publicUrl}/oauth/callback/${connectorId}`;

/**
 * Where the hub says who it is at a connector's authorization server, and its `client_id` there. One for each connector, as
 * its redirect URI is; with the extension, no id is a dot segment. docs/adr/0040
 */
export const clientDocumentUrl = (publicUrl: string, connectorId: ConnectorId): string =>
  `${publicUrl}/oauth/clients/${connectorId}.json`;
