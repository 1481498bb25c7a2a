/**
 * The least that moves the same bytes: takes the call, sends a ready-made MCP request on a pooled connection, and passes
 * the answer on as it comes. It checks no token and reads neither request nor answer.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { listen } from '../harness/json-server.ts';
import { delegate } from './delegate.ts';
import { ARGUMENTS, TOOL, WORLD_PATHS } from './scene.ts';

const { PORT = '0', WORLD_ORIGIN = '' } = process.env;
const pool = new Pool(WORLD_ORIGIN);
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: TOOL,
    arguments: ARGUMENTS,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});
const nobody = `e30.${Buffer.from('{"sub":"user_floor"}').toString('base64url')}.e30`;
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${await delegate(WORLD_ORIGIN, nobody)}`,
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': TOOL,
};

const server = createServer((req, res) => {
  if (req.url === '/readyz') return void res.end();
  req.resume();
  req.on('end', () => {
    pool
      .stream({ path: WORLD_PATHS.mcp, method: 'POST', headers, body }, ({ statusCode }) => {
        res.writeHead(statusCode, { 'Content-Type': 'application/json' });
        return res;
      })
      .catch(() => res.destroy());
  });
});
await listen(server, Number(PORT));
