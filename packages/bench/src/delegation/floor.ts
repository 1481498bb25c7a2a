/**
 * The minimal delegation: two token requests and the call, each on a pooled connection. All endpoints are configured;
 * it checks no tokens and no responses, and caches nothing.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { listen } from '../harness/json-server.ts';
import { delegate } from '../tools-call/delegate.ts';
import { mcpCall } from '../tools-call/mcp-call.ts';
import { WORLD_PATHS } from '../tools-call/scene.ts';

const { PORT = '0', WORLD_ORIGIN = '' } = process.env;
const pool = new Pool(WORLD_ORIGIN);

const server = createServer((req, res) => {
  if (req.url === '/readyz') return void res.end();
  req.resume();
  const idToken = (req.headers.authorization ?? '').slice('Bearer '.length);
  delegate(WORLD_ORIGIN, idToken)
    .then((accessToken) =>
      pool.stream({ path: WORLD_PATHS.mcp, method: 'POST', ...mcpCall(accessToken) }, ({ statusCode }) => {
        res.writeHead(statusCode, { 'Content-Type': 'application/json' });
        return res;
      }),
    )
    .catch(() => res.destroy());
});
await listen(server, Number(PORT));
