import { mcpEndpointOf, urlBelow } from '@legate/oauth';
import type { Target } from './examination.ts';

/**
 * Returns the target for a URL, which may be that of the MCP endpoint or the resource identifier; the server's own
 * metadata decides.
 */
export function targetOf(url: string): Target {
  const mcpUrl = mcpEndpointOf(url);
  const plain = url.replace(/\?.*$/, '').replace(/\/$/, '');
  const others = [mcpUrl, plain, plain.replace(/\/mcp$/, ''), new URL(url).origin];
  return {
    mcpUrl,
    otherEndpoints: otherEndpointsOf(mcpUrl, url),
    resources: [url, ...new Set(others.filter((one) => one !== url))],
    issuer: undefined,
    isPublicClient: false,
    scopes: undefined,
    clientAuthMethods: undefined,
    hasAuthorizationServer: true,
    usesIdJag: true,
    consent: undefined,
  };
}

/** Returns other possible URLs of the MCP endpoint of a tool server, in the order in which they are tried. */
export function otherEndpointsOf(mcpUrl: string, resource: string): readonly string[] {
  const { origin, search } = new URL(resource);
  const possible = [
    mcpEndpointOf(resource),
    urlBelow(resource, 'mcp'),
    `${origin}/mcp${search}`,
    `${origin}/${search}`,
  ];
  return [...new Set(possible)].filter((one) => one !== mcpUrl);
}
