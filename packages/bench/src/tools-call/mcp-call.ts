import { ARGUMENTS, TOOL } from './scene.ts';

const REVISION = '2026-07-28';

const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: TOOL,
    arguments: ARGUMENTS,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/** A ready-made call at a tool server, with a bearer token. */
export const mcpCall = (bearer: string) => ({
  body,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${bearer}`,
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': TOOL,
  },
});
