import type { Express } from 'express';
import request from 'supertest';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';

export const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends a request of revision 2026-07-28 as raw JSON-RPC. Without a tool's name it sends `tools/list`. */
export function callTool(
  app: Express,
  token: string | undefined,
  name: string | undefined,
  args: Record<string, unknown> = {},
) {
  const method = name === undefined ? 'tools/list' : 'tools/call';
  const headers = {
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': method,
    Accept: 'application/json, text/event-stream',
    ...(name !== undefined && { 'Mcp-Name': name }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const params = name === undefined ? { _meta: META } : { name, arguments: args, _meta: META };
  return request(app).post('/mcp').set(headers).send({ jsonrpc: '2.0', id: 1, method, params });
}
