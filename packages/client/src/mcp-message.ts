import { isObject, type Json } from './wire.ts';

/** MCP 2026-07-28: every request is complete in itself, and its headers repeat parts of its body. */
const REVISION = '2026-07-28';

export interface McpRequest {
  readonly method: 'tools/list' | 'tools/call';
  readonly params: Json;
  /** Repeated in `Mcp-Name` */
  readonly name?: string;
  readonly capabilities: Json;
  readonly wantsProgress: boolean;
  /** Arguments that are repeated in headers */
  readonly paramHeaders: Readonly<Record<string, string>>;
}

/** One request needs no other id: each has a stream of its own. */
export const ID = 1;

export function toMessage(request: McpRequest) {
  const { method, params, name, capabilities, wantsProgress, paramHeaders } = request;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...(wantsProgress && { progressToken: ID }),
  };
  return {
    headers: {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': REVISION,
      'Mcp-Method': method,
      ...(name !== undefined && { 'Mcp-Name': headerValue(name) }),
      ...paramHeaders,
    },
    body: { jsonrpc: '2.0', id: ID, method, params: { ...params, _meta: meta } },
  };
}

const ANNOTATION = 'x-mcp-header';

/**
 * Returns the headers by which proxies learn arguments of a tool, as its input schema asks for them.
 * @see MCP 2026-07-28, Streamable HTTP, "Custom headers from tool parameters"
 */
export function paramHeadersOf(inputSchema: unknown, args: unknown): Readonly<Record<string, string>> {
  if (!isObject(inputSchema) || !isObject(inputSchema.properties) || !isObject(args)) return {};
  const headers: Record<string, string> = {};
  for (const [property, schema] of Object.entries(inputSchema.properties)) {
    const value = Object.hasOwn(args, property) ? args[property] : undefined;
    const name = isObject(schema) ? schema[ANNOTATION] : undefined;
    const isSent = ['string', 'boolean'].includes(typeof value) || Number.isSafeInteger(value);
    if (typeof name === 'string' && isSent) headers[`Mcp-Param-${name}`] = headerValue(String(value));
    else Object.assign(headers, paramHeadersOf(schema, value));
  }
  return headers;
}

/** Values that a header cannot carry, or that look like the encoded form, are sent as `=?base64?…?=`. */
export function headerValue(value: string): string {
  const isPlain =
    /^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/.test(value) && !/^=\?base64\?.*\?=$/i.test(value);
  if (isPlain) return value;
  const bytes = new TextEncoder().encode(value);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`;
}
