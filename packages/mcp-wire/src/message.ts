import { encodeHeaderValue } from './header-value.ts';
import { MODERN_REVISION } from './revisions.ts';

/** The protocol's own members of `_meta` in a request of the modern revision */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';

/** `Accept` of every request: a server chooses whether it responds with one message or with a stream. */
export const ACCEPTED_TYPES = 'application/json, text/event-stream';

/** @param contentType header of a response */
export const isEventStream = (contentType: string | null | undefined): boolean =>
  contentType?.toLowerCase().startsWith('text/event-stream') ?? false;

export interface ModernRequest {
  /** The request's id, which is also its progress token */
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Repeated in `Mcp-Name` */
  readonly name?: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo?: { readonly name: string; readonly version: string };
  readonly wantsProgress?: boolean;
  /** Arguments that are repeated in headers */
  readonly paramHeaders?: Readonly<Record<string, string>>;
}

/** Creates a request of the modern revision, which needs no session: its headers repeat parts of its body. */
export function modernRequest({ id, method, params, name, ...request }: ModernRequest) {
  const meta = {
    [VERSION_KEY]: MODERN_REVISION,
    [CAPABILITIES_KEY]: request.capabilities,
    ...(request.clientInfo && { [CLIENT_INFO_KEY]: request.clientInfo }),
    ...(request.wantsProgress && { progressToken: id }),
  };
  return {
    headers: {
      Accept: ACCEPTED_TYPES,
      'MCP-Protocol-Version': MODERN_REVISION,
      'Mcp-Method': method,
      ...(name !== undefined && { 'Mcp-Name': encodeHeaderValue(name) }),
      ...request.paramHeaders,
    },
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } },
  };
}
