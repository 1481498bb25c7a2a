import { GRANT_TYPE, ID_JAG_GRANT_PROFILE, isSameResource, urlBelow } from '@legate/oauth';
import type { Connector } from '../../domain/connector.ts';
import { authMethodsOf, discoverServer, type NothingFound, unsupported } from './metadata.ts';

/** The inputs of discovery, from the connector and its settings for `id-jag` */
export interface WhereToLook extends Pick<Connector, 'resource'> {
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
}

/** The authorization server of a tool server; every member has been checked against the connector. */
export interface ToolServer {
  /** Issuer of the authorization server */
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** How clients authenticate there; undefined: there is no metadata */
  readonly authMethods: readonly string[] | undefined;
  /** `audience` of the token exchange; docs/adr/0003 */
  readonly audience: string;
  /** The scopes in the tool server's metadata; requested if the connector has none. */
  readonly scopesSupported: readonly string[];
  readonly maxAgeSeconds: number;
}

export type ToolServerDiscovery = { readonly kind: 'found'; readonly toolServer: ToolServer } | NothingFound;

/**
 * Discovers the protected resource metadata, then the authorization server and its metadata, and checks everything.
 * @see draft-ietf-oauth-identity-assertion-authz-grant §7, RFC 9728 §3.3, RFC 8414 §3.3
 */
export async function discoverToolServer(
  connector: WhereToLook,
  fetch: typeof globalThis.fetch,
): Promise<ToolServerDiscovery> {
  const discovered = await discoverServer({ ...connector, isPublicClient: false }, fetch);
  if (discovered.kind !== 'found') return discovered;
  const { resource, issuer, server } = discovered;
  const endpoints = endpointsOf(connector.resource, issuer, server);
  if ('kind' in endpoints) return endpoints;
  return {
    kind: 'found',
    toolServer: {
      issuer,
      tokenEndpoint: endpoints.tokenEndpoint,
      authMethods: endpoints.authMethods,
      audience: connector.audience ?? endpoints.audience,
      scopesSupported: resource.scopesSupported,
      maxAgeSeconds: Math.min(resource.maxAgeSeconds, endpoints.maxAgeSeconds),
    },
  };
}

function endpointsOf(
  resource: string,
  issuer: string,
  server: Extract<Awaited<ReturnType<typeof discoverServer>>, { kind: 'found' }>['server'],
): Pick<ToolServer, 'tokenEndpoint' | 'authMethods' | 'audience' | 'maxAgeSeconds'> | ToolServerDiscovery {
  if (server.kind === 'absent') {
    // The product's specification (§4.4) has no authorization server metadata: such a tool server has its token
    // endpoint at a fixed path, and accepts its resource identifier as audience.
    return isSameResource({ presented: issuer, configured: resource })
      ? {
          tokenEndpoint: urlBelow(resource, 'oauth/token'),
          authMethods: undefined,
          audience: resource,
          maxAgeSeconds: 300,
        }
      : unsupported('its authorization server publishes no metadata');
  }
  if (server.kind !== 'found') return server;
  const { metadata, maxAgeSeconds } = server;
  if (metadata.grant_types_supported && !metadata.grant_types_supported.includes(GRANT_TYPE.jwtBearer))
    return unsupported('its authorization server does not offer the JWT bearer grant');
  const hasProfile = metadata.authorization_grant_profiles_supported?.includes(ID_JAG_GRANT_PROFILE);
  return {
    tokenEndpoint: metadata.token_endpoint,
    authMethods: authMethodsOf(metadata),
    audience: hasProfile ? issuer : resource,
    maxAgeSeconds,
  };
}
