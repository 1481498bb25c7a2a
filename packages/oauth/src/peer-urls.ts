/**
 * Appends a path to the URL of a peer, with exactly one slash between them. A query stays after the path.
 * @param address absolute URL
 * @param path without a slash in front
 */
export function urlBelow(address: string, path: string): string {
  const { origin, pathname, search } = new URL(address);
  return `${origin}${pathname.replace(/\/$/, '')}/${path}${search}`;
}

/** Returns true for a URL that has neither a path nor a query: not even the slash that URL libraries add. */
export const isBareOrigin = (url: string): boolean => /^https?:\/\/[^/?#]+$/i.test(url);

/**
 * Returns the MCP endpoint of a tool server of which only the resource identifier was given. This is the identifier
 * itself, unchanged (MCP authorization, "Canonical Server URI"). If the identifier is a bare origin, the endpoint is at
 * `/mcp`.
 * @param resource absolute URL
 */
export const mcpEndpointOf = (resource: string): string =>
  isBareOrigin(resource) ? urlBelow(resource, 'mcp') : resource;

/**
 * Inserts `/.well-known/<suffix>` between the host and the path of an identifier, whose terminating slash is dropped. A
 * query stays behind the path (RFC 8414 §3.1, RFC 9728 §3.1).
 * @param identifier absolute URL of an issuer or resource
 */
export function wellKnownUrl(identifier: string, suffix: string): string {
  const { origin, pathname, search } = new URL(identifier);
  return `${origin}/.well-known/${suffix}${pathname.replace(/\/$/, '')}${search}`;
}

/**
 * Returns the URL of an OpenID provider's metadata: its path is appended to the issuer (OpenID Connect Discovery §4).
 */
export const openIdConfigurationUrl = (issuer: string): string =>
  urlBelow(issuer, '.well-known/openid-configuration');

/** Returns the possible URLs of an authorization server's metadata, in the order that MCP prescribes. */
export const serverMetadataUrls = (issuer: string): string[] => [
  ...new Set([
    wellKnownUrl(issuer, 'oauth-authorization-server'),
    wellKnownUrl(issuer, 'openid-configuration'),
    openIdConfigurationUrl(issuer),
  ]),
];

/**
 * Returns the possible URLs of a resource's metadata: first for its path and query, then for the root of its host, as
 * MCP clients do. RFC 9728 §3.1 keeps a slash at the end of a path, RFC 8414 §3.1 and MCP clients drop it, so both are
 * possible.
 */
export function resourceMetadataUrls(resource: string): string[] {
  const { origin, pathname, search } = new URL(resource);
  const suffix = 'oauth-protected-resource';
  return [
    ...new Set([
      wellKnownUrl(resource, suffix),
      ...(pathname.endsWith('/') && pathname !== '/'
        ? [`${origin}/.well-known/${suffix}${pathname}${search}`]
        : []),
      wellKnownUrl(origin, suffix),
    ]),
  ];
}
