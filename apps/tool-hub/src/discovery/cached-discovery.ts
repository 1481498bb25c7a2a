import { discoverToolServer, type ToolServerDiscovery, type WhereToLook } from './discover-tool-server.ts';

export type DiscoverToolServer = (connector: WhereToLook) => Promise<ToolServerDiscovery>;

/** Remembers what was found for as long as the documents allow; one reading at a time; failures are not remembered. */
export function createToolServerDiscovery(deps: {
  fetch: typeof globalThis.fetch;
  clock: () => Date;
}): DiscoverToolServer {
  const found = new Map<string, { discovery: ToolServerDiscovery; freshUntilMs: number }>();
  const reading = new Map<string, Promise<ToolServerDiscovery>>();

  async function read(key: string, connector: WhereToLook): Promise<ToolServerDiscovery> {
    const discovery = await discoverToolServer(connector, deps.fetch);
    if (discovery.kind === 'found') {
      const freshUntilMs = deps.clock().getTime() + discovery.toolServer.maxAgeSeconds * 1000;
      found.set(key, { discovery, freshUntilMs });
    }
    return discovery;
  }

  return async (connector) => {
    // All that discovery depends on: connectors of several organizations share what is public.
    const key = JSON.stringify([connector.resource, connector.issuer, connector.audience]);
    const known = found.get(key);
    if (known && deps.clock().getTime() < known.freshUntilMs) return known.discovery;
    const running = reading.get(key);
    if (running) return running;
    const promise = read(key, connector).finally(() => reading.delete(key));
    reading.set(key, promise);
    return promise;
  };
}
