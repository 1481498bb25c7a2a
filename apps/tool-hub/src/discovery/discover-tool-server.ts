import { GRANT_TYPE, ID_JAG_GRANT_PROFILE } from '@legate/oauth';
import type { Connector } from '../connectors/connector.ts';
import type { Refusal } from '../delegation/delegation.ts';
import { discoverAuthorizationServer, type ServerDiscovery } from './authorization-server.ts';
import { discoverProtectedResource, isSameResource } from './protected-resource.ts';

/** Where a tool server's tokens come from; every member has been checked against what the connector expects. */
export interface ToolServer {
  /** Issuer of the authorization server */
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** `audience` of the token exchange; docs/adr/0003 */
  readonly audience: string;
  /** What the tool server says it has scopes for; asked for where the connector names none. */
  readonly scopesSupported: readonly string[];
  readonly maxAgeSeconds: number;
}

export type ToolServerDiscovery =
  | { readonly outcome: 'found'; readonly toolServer: ToolServer }
  | Extract<Refusal, { outcome: 'unsupported' | 'unavailable' | 'misconfigured' }>;

/**
 * Protected resource metadata → authorization server → its metadata, with nothing believed unchecked.
 * @see draft-ietf-oauth-identity-assertion-authz-grant §7, RFC 9728 §3.3, RFC 8414 §3.3
 */
export async function discoverToolServer(
  connector: Pick<Connector, 'resource' | 'issuer' | 'audience'>,
  fetch: typeof globalThis.fetch,
): Promise<ToolServerDiscovery> {
  const resource = await discoverProtectedResource(connector.resource, fetch);
  if (resource.kind === 'absent') return unsupported('it publishes no protected resource metadata');
  if (resource.kind !== 'found') return toRefusal(resource);

  const issuer = chooseIssuer(connector, resource.authorizationServers);
  if (issuer === undefined)
    return misconfigured('its resource metadata names no authorization server that this connector trusts');
  const server = await discoverAuthorizationServer(issuer, fetch);
  const endpoints = endpointsOf(connector.resource, issuer, server);
  if ('outcome' in endpoints) return endpoints;
  return {
    outcome: 'found',
    toolServer: {
      issuer,
      tokenEndpoint: endpoints.tokenEndpoint,
      audience: connector.audience ?? endpoints.audience,
      scopesSupported: resource.scopesSupported,
      maxAgeSeconds: Math.min(resource.maxAgeSeconds, endpoints.maxAgeSeconds),
    },
  };
}

/**
 * The connector's credentials belong to one authorization server. The tool server may move it within its own origin;
 * anywhere else it must be pinned, or a tool server could have our secret sent wherever it likes.
 */
function chooseIssuer(
  connector: Pick<Connector, 'resource' | 'issuer'>,
  listed: readonly string[],
): string | undefined {
  if (connector.issuer !== undefined) return listed.find((issuer) => issuer === connector.issuer);
  const { origin } = new URL(connector.resource);
  return listed.find((issuer) => new URL(issuer).origin === origin);
}

function endpointsOf(
  resource: string,
  issuer: string,
  server: ServerDiscovery,
): { tokenEndpoint: string; audience: string; maxAgeSeconds: number } | ToolServerDiscovery {
  if (server.kind === 'absent') {
    // The product's specification (§4.4) knows no authorization server metadata: such a tool server has its token
    // endpoint at a fixed path, and answers to its resource identifier.
    return isSameResource(issuer, resource)
      ? { tokenEndpoint: `${resource}/oauth/token`, audience: resource, maxAgeSeconds: 300 }
      : unsupported('its authorization server publishes no metadata');
  }
  if (server.kind !== 'found') return toRefusal(server);
  const { metadata, maxAgeSeconds } = server;
  if (metadata.grant_types_supported && !metadata.grant_types_supported.includes(GRANT_TYPE.jwtBearer))
    return unsupported('its authorization server does not offer the JWT bearer grant');
  const hasProfile = metadata.authorization_grant_profiles_supported?.includes(ID_JAG_GRANT_PROFILE);
  return { tokenEndpoint: metadata.token_endpoint, audience: hasProfile ? issuer : resource, maxAgeSeconds };
}

function toRefusal(
  failed: { kind: 'unavailable'; reason: string; retryable: boolean } | { kind: 'unusable'; reason: string },
): ToolServerDiscovery {
  return failed.kind === 'unavailable'
    ? { outcome: 'unavailable', by: 'tool_server', reason: failed.reason, retryable: failed.retryable }
    : misconfigured(failed.reason);
}

const unsupported = (reason: string): ToolServerDiscovery => ({
  outcome: 'unsupported',
  by: 'tool_server',
  reason,
});

const misconfigured = (reason: string): ToolServerDiscovery => ({
  outcome: 'misconfigured',
  by: 'tool_server',
  reason,
});
