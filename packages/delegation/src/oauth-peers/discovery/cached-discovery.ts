import { discoverToolServer, type ToolServerDiscovery, type WhereToLook } from './discover-tool-server.ts';
import {
  discoverUserAuthorization,
  type UserAuthorizationDiscovery,
  type WhereToConsent,
} from './discover-user-authorization.ts';
import { discoverProtectedResource, NO_RESOURCE_METADATA, type NothingFound } from './metadata.ts';
import { rememberFound } from './remember-found.ts';

export type DiscoverToolServer = (connector: WhereToLook) => Promise<ToolServerDiscovery>;
export type DiscoverUserAuthorization = (where: WhereToConsent) => Promise<UserAuthorizationDiscovery>;

/** The authorization servers and scopes in the metadata of a resource */
interface DiscoveredResource {
  readonly kind: 'found';
  readonly authorizationServers: readonly string[];
  readonly scopesSupported: readonly string[];
  readonly maxAgeSeconds: number;
}
export type DiscoverResource = (resource: string) => Promise<DiscoveredResource | NothingFound>;

interface Dependencies {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: () => Date;
}

/** Connectors of several organizations share a cached result, because it is public. */
export const createToolServerDiscovery = ({ fetch, clock }: Dependencies): DiscoverToolServer =>
  rememberFound({
    read: (connector) => discoverToolServer(connector, fetch),
    keyOf: ({ resource, issuer, audience }) => JSON.stringify([resource, issuer, audience]),
    maxAgeSeconds: (result) => (result.kind === 'found' ? result.toolServer.maxAgeSeconds : undefined),
    clock,
  });

export const createUserAuthorizationDiscovery = ({ fetch, clock }: Dependencies): DiscoverUserAuthorization =>
  rememberFound({
    read: (where) => discoverUserAuthorization(where, fetch),
    keyOf: ({ resource, issuer, isPublicClient, clientDocument }) =>
      JSON.stringify([resource, issuer, isPublicClient, clientDocument]),
    maxAgeSeconds: (result) => (result.kind === 'found' ? result.authorization.maxAgeSeconds : undefined),
    clock,
  });

/** Reads only the metadata of the resource, for a method whose authorization server is the identity provider. */
export const createResourceDiscovery = ({ fetch, clock }: Dependencies): DiscoverResource =>
  rememberFound({
    async read(resource) {
      const found = await discoverProtectedResource(resource, fetch);
      return found.kind === 'absent' ? NO_RESOURCE_METADATA : found;
    },
    keyOf: (resource) => resource,
    maxAgeSeconds: (result) => (result.kind === 'found' ? result.maxAgeSeconds : undefined),
    clock,
  });
