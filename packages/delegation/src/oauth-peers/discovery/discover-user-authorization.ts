import { z } from 'zod';
import { CLIENT_DOCUMENT_FAULTS, clientDocumentFault } from './client-document-fault.ts';
import { authMethodsOf, discoverServer, malformed, type NothingFound, unsupported } from './metadata.ts';

/** The authorization server at which users consent for a tool server; every member has been checked. */
export interface UserAuthorization {
  /** Issuer of the authorization server */
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** How clients authenticate there */
  readonly authMethods: readonly string[];
  /** RFC 7009 */
  readonly revocationEndpoint: string | undefined;
  /** RFC 9207 §3: if true, an authorization response without `iss` is not from this server. */
  readonly sendsIssuer: boolean;
  /** Scopes of the tool server; requested if the connector has none */
  readonly scopesSupported: readonly string[];
  /** True if it has a scope for refresh tokens, which resources do not list */
  readonly hasOfflineAccess: boolean;
  readonly maxAgeSeconds: number;
}

export type UserAuthorizationDiscovery =
  | { readonly kind: 'found'; readonly authorization: UserAuthorization }
  | NothingFound;

/** The inputs of discovery */
export interface WhereToConsent {
  readonly resource: string;
  readonly issuer: string | undefined;
  readonly isPublicClient: boolean;
  /** Our `client_id` if it is the URL of a document about us; undefined: a client is registered */
  readonly clientDocument: string | undefined;
}

/**
 * Discovers the protected resource metadata, then the authorization server and its metadata, and checks everything.
 * @see MCP authorization, "Authorization Server Discovery"; RFC 9728 §3.3, RFC 8414 §3.3
 */
export async function discoverUserAuthorization(
  where: WhereToConsent,
  fetch: typeof globalThis.fetch,
): Promise<UserAuthorizationDiscovery> {
  const discovered = await discoverServer(where, fetch);
  if (discovered.kind !== 'found') return discovered;
  const { resource, issuer, server } = discovered;
  if (server.kind === 'absent') return unsupported('its authorization server publishes no metadata');
  if (server.kind !== 'found') return server;

  const parsed = CodeGrantMetadata.safeParse(server.metadata);
  if (!parsed.success)
    return malformed('authorization server metadata', parsed.error, server.metadata, server.url);
  const { token_endpoint, scopes_supported } = server.metadata;
  const metadata = parsed.data;
  if (!offersCode(metadata))
    return unsupported('its authorization server does not offer the authorization code grant');
  if (!offersPkce(metadata)) return unsupported('its authorization server does not offer PKCE with S256');
  if (where.clientDocument !== undefined) {
    const isSupported = metadata.client_id_metadata_document_supported === true;
    const fault = clientDocumentFault(where.clientDocument, { issuer, isSupported });
    if (fault) return { kind: 'unusable', reason: CLIENT_DOCUMENT_FAULTS[fault] };
  }
  const { authorization_endpoint } = metadata;
  // Browsers follow this URL, and the guarded client cannot protect them.
  if (!isAsSafeAs(where.resource, authorization_endpoint))
    return { kind: 'unusable', reason: 'its authorization endpoint is not an https URL' };
  return {
    kind: 'found',
    authorization: {
      issuer,
      authorizationEndpoint: authorization_endpoint,
      tokenEndpoint: token_endpoint,
      authMethods: authMethodsOf(server.metadata),
      revocationEndpoint: metadata.revocation_endpoint,
      sendsIssuer: metadata.authorization_response_iss_parameter_supported === true,
      scopesSupported: resource.scopesSupported,
      hasOfflineAccess: scopes_supported?.includes('offline_access') === true,
      maxAgeSeconds: Math.min(resource.maxAgeSeconds, server.maxAgeSeconds),
    },
  };
}

/** Permits plain http only if the tool server uses it too, which is for development. */
function isAsSafeAs(resource: string, endpoint: string): boolean {
  const { protocol } = new URL(endpoint);
  return protocol === 'https:' || (protocol === 'http:' && new URL(resource).protocol === 'http:');
}

/**
 * Members of an authorization server's metadata that only the code grant needs.
 * @see RFC 8414 §2, RFC 7009 §2, RFC 9207 §3, draft-ietf-oauth-client-id-metadata-document §6
 */
export const CodeGrantMetadata = z.object({
  authorization_endpoint: z.url().optional(),
  response_types_supported: z.array(z.string()).optional(),
  grant_types_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  revocation_endpoint: z.url().optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  /** Any other type counts as absent, so that it does not affect methods that do not use it. */
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
});
export type CodeGrantMetadata = z.output<typeof CodeGrantMetadata>;

export const offersCode = (
  metadata: CodeGrantMetadata,
): metadata is CodeGrantMetadata & { authorization_endpoint: string } =>
  metadata.authorization_endpoint !== undefined &&
  metadata.response_types_supported?.includes('code') !== false &&
  metadata.grant_types_supported?.includes('authorization_code') !== false;

/** Returns false without the member: then a stolen or injected code might not be refused (MCP authorization). */
export const offersPkce = ({ code_challenge_methods_supported: methods }: CodeGrantMetadata): boolean =>
  methods?.includes('S256') === true;
