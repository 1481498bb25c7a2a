import type { Connector } from '../domain/connector.ts';

/**
 * Finds an audience of `token-exchange` that connectors of one organization have at two origins: each could use the
 * other's tokens. The management API refuses this at registration.
 */
export function findSharedAudience(connectors: readonly Connector[]): string | undefined {
  const origins = new Map<string, string>();
  for (const { organizationId, mcpUrl, methods } of connectors) {
    const exchange = methods.find((settings) => settings.method === 'token-exchange');
    if (!exchange) continue;
    const { origin } = new URL(mcpUrl);
    for (const audience of [exchange.audience, exchange.tokenAudience]) {
      const key = JSON.stringify([organizationId, audience.toLowerCase()]);
      if ((origins.get(key) ?? origin) !== origin) return audience;
      origins.set(key, origin);
    }
  }
  return undefined;
}
