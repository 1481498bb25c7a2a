import type { ToolServer } from '../../oauth-peers/discovery/discover-tool-server.ts';
import { createTokenClient, type TokenClient } from '../../oauth-peers/token-client.ts';
import type { IdJagSettings } from './settings.ts';

/** Returns our client at the authorization server of a tool server; undefined if our private key cannot be used. */
export type ToolServerClients = (
  settings: IdJagSettings,
  toolServer: ToolServer,
) => Promise<TokenClient | undefined>;

/**
 * Creates each connector's client once, for all users: a client holds the connector's credentials and copies of the
 * metadata, and nothing of a user. Changed settings and newly discovered metadata are new objects, so they get a new
 * client.
 * @param fetch the guarded client's
 */
export function createToolServerClients(fetch: typeof globalThis.fetch): ToolServerClients {
  const known = new WeakMap<
    IdJagSettings,
    { readonly toolServer: ToolServer; readonly client: Promise<TokenClient | undefined> }
  >();
  return (settings, toolServer) => {
    const last = known.get(settings);
    if (last?.toolServer === toolServer) return last.client;
    const { issuer, tokenEndpoint, authMethods } = toolServer;
    const at = { issuer, tokenEndpoint, authMethods, fetch };
    const client = createTokenClient({ ...settings, ...at }).catch(() => undefined);
    known.set(settings, { toolServer, client });
    return client;
  };
}
