import { modernRequest } from '@legate/mcp-wire';
import { type Exchange, exchange } from './http.ts';

/** Calls a tool at an MCP endpoint. @param bearer undefined: none is sent */
export function callTool(
  mcp: string,
  bearer: string | undefined,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Exchange> {
  const { headers, body } = modernRequest({
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
    name,
    capabilities: {},
    clientInfo: { name: 'legate-demo', version: '1' },
  });
  const authorization = bearer !== undefined && { Authorization: `Bearer ${bearer}` };
  return exchange('POST', mcp, { json: body }, { ...authorization, ...headers });
}
