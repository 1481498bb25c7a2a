import type { Target } from './examination.ts';

/**
 * Returns the target for a URL, which may be that of the MCP endpoint or the resource identifier; the server's own
 * metadata decides.
 */
export function targetOf(url: string): Target {
  const mcpUrl = /\/mcp\/?$/.test(url) ? url : `${url.replace(/\/$/, '')}/mcp`;
  const base = mcpUrl.replace(/\/mcp\/?$/, '');
  const others = [mcpUrl, base].filter((one) => one !== url && URL.canParse(one));
  return {
    mcpUrl,
    resources: [url, ...others],
    issuer: undefined,
    isPublicClient: false,
    scopes: undefined,
    clientAuthMethod: undefined,
    hasAuthorizationServer: true,
    usesIdJag: true,
    consent: undefined,
  };
}
