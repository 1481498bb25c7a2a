import { wellKnownUrl } from '@legate/oauth';

export type Endpoints = Readonly<ReturnType<typeof endpointsOf>>;

/**
 * Derives the URLs of a tool server's documents and endpoints from its resource identifier.
 * @param resource absolute URL without query, fragment or trailing slash
 * @throws {Error} for any other: identifiers are compared as strings, so a second spelling would be a second identity
 */
export function endpointsOf(resource: string) {
  if (!/^https?:\/\/[^\s?#]*[^\s?#/]$/.test(resource) || !URL.canParse(resource)) {
    throw new Error(
      `resource: ${resource} is not a resource identifier, which is an http(s) URL without query, fragment and trailing slash`,
    );
  }
  return {
    /** Resource identifier and issuer of the authorization server: one string, as configured. */
    resource,
    token: `${resource}/oauth/token`,
    authorization: `${resource}/oauth/authorize`,
    jwks: `${resource}/.well-known/jwks.json`,
    resourceMetadata: wellKnownUrl(resource, 'oauth-protected-resource'),
    serverMetadata: wellKnownUrl(resource, 'oauth-authorization-server'),
  };
}

/** The path of one of our URLs. */
export const pathOf = (url: string): string => new URL(url).pathname;

/**
 * The paths that a tool server serves itself, by their purpose. An identifier with a path has its documents below the
 * suffixed path (RFC 9728 §3.1); the product's specification names the other one, so both serve them.
 */
export const pathsOf = (endpoints: Endpoints) => ({
  token: [pathOf(endpoints.token)],
  authorization: [pathOf(endpoints.authorization)],
  resourceMetadata: [
    ...new Set([pathOf(endpoints.resourceMetadata), '/.well-known/oauth-protected-resource']),
  ],
  serverMetadata: [...new Set([pathOf(endpoints.serverMetadata), '/.well-known/oauth-authorization-server'])],
  jwks: [...new Set([pathOf(endpoints.jwks), '/.well-known/jwks.json'])],
});

/** All paths of {@link pathsOf}, for adapters: they build a `Request` only for these. */
export const ownPaths = (endpoints: Endpoints): readonly string[] => Object.values(pathsOf(endpoints)).flat();
