import { discoverToolServer, type ToolServerDiscovery, type WhereToLook } from './discover-tool-server.ts';
import {
  discoverUserAuthorization,
  type UserAuthorizationDiscovery,
  type WhereToConsent,
} from './discover-user-authorization.ts';
import { rememberFound } from './remember-found.ts';

export type DiscoverToolServer = (connector: WhereToLook) => Promise<ToolServerDiscovery>;
export type DiscoverUserAuthorization = (where: WhereToConsent) => Promise<UserAuthorizationDiscovery>;

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
