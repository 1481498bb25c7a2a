import { wellKnownUrl } from '@legate/oauth';

/** URLs of a tool server's documents and endpoints, all derived from its resource identifier. */
export interface Endpoints {
  /** Resource identifier and issuer of the authorization server: one string, as configured. */
  readonly resource: string;
  readonly token: string;
  readonly authorization: string;
  readonly jwks: string;
  readonly resourceMetadata: string;
  readonly serverMetadata: string;
}

/**
 * @param resource absolute URL without query, fragment or trailing slash
 * @throws {Error} for any other: identifiers are compared as strings, so a second spelling would be a second identity
 */
export function endpointsOf(resource: string): Endpoints {
  if (!/^https?:\/\/[^\s?#]*[^\s?#/]$/.test(resource) || !URL.canParse(resource)) {
    throw new Error('a resource identifier is an http(s) URL without query, fragment and trailing slash');
  }
  return {
    resource,
    token: `${resource}/oauth/token`,
    authorization: `${resource}/oauth/authorize`,
    jwks: `${resource}/.well-known/jwks.json`,
    resourceMetadata: wellKnownUrl(resource, 'oauth-protected-resource'),
    serverMetadata: wellKnownUrl(resource, 'oauth-authorization-server'),
  };
}

/** The path of one of our URLs, to mount a route at. */
export const pathOf = (url: string): string => new URL(url).pathname;
