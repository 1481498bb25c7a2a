import { chooseIssuer } from '@legate/oauth';
import { z } from 'zod';
import type { OAuthPkceSettings } from '../connectors/method-settings.ts';
import { discoverAuthorizationServer } from './authorization-server.ts';
import { noIssuer } from './no-issuer.ts';
import { discoverProtectedResource } from './protected-resource.ts';

/** Where users consent to what the hub does at a tool server; every member has been checked. */
export interface UserAuthorization {
  /** Issuer of the authorization server */
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** RFC 7009 */
  readonly revocationEndpoint: string | undefined;
  /** RFC 9207 §3: an authorization response without `iss` is then not its own. */
  readonly sendsIssuer: boolean;
  /** Of the tool server; asked for where the connector names none */
  readonly scopesSupported: readonly string[];
  /** Whether it has a scope for refresh tokens, which resources do not list */
  readonly hasOfflineAccess: boolean;
  readonly maxAgeSeconds: number;
}

export type UserAuthorizationDiscovery =
  | { readonly kind: 'found'; readonly authorization: UserAuthorization }
  /** It says itself that it has no such thing. */
  | { readonly kind: 'unsupported'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryable: boolean }
  | { readonly kind: 'unusable'; readonly reason: string };

/** RFC 8414 §2, RFC 9207 §3: what only this grant needs. */
const CodeGrantMetadata = z.object({
  authorization_endpoint: z.url().optional(),
  response_types_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  revocation_endpoint: z.url().optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

/** All that discovery depends on */
export interface WhereToConsent {
  readonly resource: string;
  readonly issuer: string | undefined;
  readonly isPublicClient: boolean;
}

export const whereToConsent = (resource: string, settings: OAuthPkceSettings): WhereToConsent => ({
  resource,
  issuer: settings.issuer,
  isPublicClient: settings.clientAuth === undefined,
});

/**
 * Protected resource metadata → authorization server → its metadata, with nothing believed unchecked.
 * @see MCP authorization, "Authorization Server Discovery"; RFC 9728 §3.3, RFC 8414 §3.3
 */
export async function discoverUserAuthorization(
  where: WhereToConsent,
  fetch: typeof globalThis.fetch,
): Promise<UserAuthorizationDiscovery> {
  const resource = await discoverProtectedResource(where.resource, fetch);
  if (resource.kind === 'absent') return unsupported('it publishes no protected resource metadata');
  if (resource.kind !== 'found') return resource;
  const chosen = chooseIssuer(where, resource.authorizationServers);
  if (chosen.kind !== 'chosen') return noIssuer(chosen);
  const { issuer } = chosen;
  const server = await discoverAuthorizationServer(issuer, fetch);
  if (server.kind === 'absent') return unsupported('its authorization server publishes no metadata');
  if (server.kind !== 'found') return server;

  const parsed = CodeGrantMetadata.safeParse(server.metadata);
  if (!parsed.success)
    return { kind: 'unusable', reason: 'its authorization server metadata has members of the wrong type' };
  const { token_endpoint, grant_types_supported, scopes_supported } = server.metadata;
  const { authorization_endpoint, response_types_supported, ...metadata } = parsed.data;
  if (
    authorization_endpoint === undefined ||
    response_types_supported?.includes('code') === false ||
    grant_types_supported?.includes('authorization_code') === false
  )
    return unsupported('its authorization server does not offer the authorization code grant');
  // Without the member nobody knows whether a code that was stolen or injected would be refused (MCP authorization).
  if (!metadata.code_challenge_methods_supported?.includes('S256'))
    return unsupported('its authorization server does not offer PKCE with S256');
  // No guarded client stands before a browser that is sent there.
  if (!isAsSafeAs(where.resource, authorization_endpoint))
    return { kind: 'unusable', reason: 'its authorization endpoint is not an https URL' };
  return {
    kind: 'found',
    authorization: {
      issuer,
      authorizationEndpoint: authorization_endpoint,
      tokenEndpoint: token_endpoint,
      revocationEndpoint: metadata.revocation_endpoint,
      sendsIssuer: metadata.authorization_response_iss_parameter_supported === true,
      scopesSupported: resource.scopesSupported,
      hasOfflineAccess: scopes_supported?.includes('offline_access') === true,
      maxAgeSeconds: Math.min(resource.maxAgeSeconds, server.maxAgeSeconds),
    },
  };
}

/** Plain http is for development, where the tool server has it too. */
function isAsSafeAs(resource: string, endpoint: string): boolean {
  const { protocol } = new URL(endpoint);
  return protocol === 'https:' || (protocol === 'http:' && new URL(resource).protocol === 'http:');
}

const unsupported = (reason: string): UserAuthorizationDiscovery => ({ kind: 'unsupported', reason });
