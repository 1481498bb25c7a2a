/**
 * The minimum that moves the same bytes: accepts the call, sends a prepared MCP request on a pooled connection, and
 * streams the response back. It checks no token and parses neither request nor response.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { listen } from '../harness/json-server.ts';
import { delegate, NOBODY } from './delegate.ts';
import { mcpCall } from './mcp-call.ts';
import { WORLD_PATHS } from './scene.ts';

const { PORT = '0', WORLD_ORIGIN = '' } = process.env;
const pool = new Pool(WORLD_ORIGIN);
const ready = mcpCall(await delegate(WORLD_ORIGIN, NOBODY));

const server = createServer((req, res) => {
  if (req.url === '/readyz') return void res.end();
  req.resume();
  req.on('end', () => {
    pool
      .stream({ path: WORLD_PATHS.mcp, method: 'POST', ...ready }, ({ statusCode }) => {
        res.writeHead(statusCode, { 'Content-Type': 'application/json' });
        return res;
      })
      .catch(() => res.destroy());
  });
});
await listen(server, Number(PORT));
