import {
  type ClientDocumentFault,
  CodeGrantMetadata,
  clientDocumentFault,
  offersCode,
  offersPkce,
} from '@legate/delegation';
import { type Finding, fail, ok, shown } from '@legate/doctor';
import type { AuthorizationServerMetadata } from '@legate/oauth';

const DOCUMENT_FAULTS: Readonly<Record<ClientDocumentFault, readonly [detail: string, remedy: string]>> = {
  not_supported: [
    'The connector has no client_id, and the metadata of the authorization server do not say that it supports Client ID Metadata Documents.',
    'Register a client there and set its client_id on the connector, or support these documents there and publish "client_id_metadata_document_supported": true.',
  ],
  not_public: [
    "The connector has no client_id, and the hub is at a loopback address, where the authorization server cannot fetch the hub's client document.",
    'Register a client there and set its client_id on the connector, or run the hub at an https PUBLIC_URL that the authorization server can reach.',
  ],
  no_client_id: [
    "The connector has no client_id, and the hub's PUBLIC_URL cannot be used as one, because it is not https.",
    'Run the hub at an https PUBLIC_URL, or register a client at the authorization server and set its client_id on the connector.',
  ],
};

/**
 * Checks that users can be sent to an authorization server to consent, and that it knows the client.
 * @param clientDocument our `client_id`, if nobody has registered one
 */
export function judgeCodeGrant(
  clientDocument: string | undefined,
  serverMetadata: AuthorizationServerMetadata,
): Finding {
  const parsed = CodeGrantMetadata.safeParse(serverMetadata);
  if (!parsed.success)
    return fail(
      `The authorization server metadata is malformed: ${parsed.error.issues[0]?.path.join('.') ?? ''}.`,
      'Give this member the type that RFC 8414 §2 requires.',
    );
  const metadata = parsed.data;
  const evidence = {
    grant_types_supported: (metadata.grant_types_supported ?? []).map(shown),
    code_challenge_methods_supported: (metadata.code_challenge_methods_supported ?? []).map(shown),
    client_id_metadata_document_supported: String(metadata.client_id_metadata_document_supported ?? ''),
    ...(clientDocument !== undefined && { client_id: shown(clientDocument) }),
  };
  if (!offersCode(metadata))
    return fail(
      'The authorization server does not offer the authorization code grant.',
      'Offer it: publish "authorization_endpoint", and list code in "response_types_supported" and authorization_code in "grant_types_supported".',
      evidence,
    );
  if (!offersPkce(metadata))
    return fail(
      'The metadata of the authorization server do not list PKCE with S256.',
      'Add S256 to "code_challenge_methods_supported".',
      evidence,
    );
  if (clientDocument === undefined)
    return ok('Users can consent there. The connector has a registered client.', evidence);
  const isSupported = metadata.client_id_metadata_document_supported === true;
  const fault = clientDocumentFault(clientDocument, { issuer: serverMetadata.issuer, isSupported });
  if (fault) return fail(...DOCUMENT_FAULTS[fault], evidence);
  return ok(
    `Users can consent there. The hub's client document is ${shown(clientDocument)}, which the authorization server must be able to fetch.`,
    evidence,
  );
}
