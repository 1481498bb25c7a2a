import { isLoopbackHost } from '@legate/service/outbound';

/**
 * The reason why an authorization server cannot identify us by our document, and who can change that. None of the
 * reasons is `unsupported`: a tool server must not choose the method by which it is called.
 */
export const CLIENT_DOCUMENT_FAULTS = {
  not_supported:
    'its authorization server does not support Client ID Metadata Documents: register a client there and set its client_id on the connector',
  not_public:
    'our client document is at a loopback address (PUBLIC_URL), where its authorization server cannot fetch it: register a client there and set its client_id on the connector',
  no_client_id:
    'the URL of our client document cannot be a client_id, because it is not https: change PUBLIC_URL, or register a client at the authorization server and set its client_id on the connector',
} as const;
export type ClientDocumentFault = keyof typeof CLIENT_DOCUMENT_FAULTS;

/**
 * Checks a `client_id` that is the URL of a document: https, no dot segments, and in normalized form, since it is
 * compared as a string with the fetched document. Plain http, and any loopback address, are for development, where the
 * authorization server runs on the same machine: anywhere else the URL would refer to that server's own machine.
 * @param clientId a URL without query, fragment and user
 * @param server.isSupported true if its metadata has `client_id_metadata_document_supported: true`
 * @see draft-ietf-oauth-client-id-metadata-document §3, §6, §8.6
 */
export function clientDocumentFault(
  clientId: string,
  server: { issuer: string; isSupported: boolean },
): ClientDocumentFault | undefined {
  const { href, protocol, hostname } = new URL(clientId);
  const isLocal = isLoopbackHost(hostname);
  if (href !== clientId || (protocol !== 'https:' && !isLocal)) return 'no_client_id';
  if (!server.isSupported) return 'not_supported';
  return isLocal && !isLoopbackHost(new URL(server.issuer).hostname) ? 'not_public' : undefined;
}
