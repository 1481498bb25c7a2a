import type { McpListen, McpRequest, SubscriptionEvents } from '@legate/mcp-client';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import type { Served } from '../domain/served.ts';
import { createSendAsCaller, type SendOptions } from './call-tool.ts';

/**
 * Opens a stream of notifications at a tool server as the caller. The stream ends when the presence in `options`
 * leaves; the deadline applies only to its acknowledgement.
 * @throws {Problem} if no token can be obtained that the tool server accepts
 */
export type ListenAsCaller = (
  caller: Caller,
  connector: Connector,
  request: McpRequest,
  events: SubscriptionEvents,
  options: SendOptions,
) => Promise<Served>;

/**
 * Opens the stream like any other request, so its credential, retries and circuit breaker are those of a call. An open
 * stream does not count as one of the connector's concurrent requests.
 */
export const createListenAsCaller =
  (
    deps: Omit<Parameters<typeof createSendAsCaller>[0], 'mcp'> & { readonly listen: McpListen },
  ): ListenAsCaller =>
  (caller, connector, request, events, options) => {
    const mcp: Parameters<typeof createSendAsCaller>[0]['mcp'] = (target, sent) =>
      deps.listen(target, sent, events);
    return createSendAsCaller({ ...deps, mcp })(caller, connector, request, options);
  };
