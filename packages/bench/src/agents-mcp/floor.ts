/**
 * The minimum that moves the same bytes: requests one or all tool servers of a page at once, with prepared requests on
 * pooled connections. It checks no token, uses one access token for everyone, and performs no delegation.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { listen, readBody } from '../harness/json-server.ts';
import { delegate, NOBODY } from '../tools-call/delegate.ts';
import { mcpCall } from '../tools-call/mcp-call.ts';
import type { BenchConnector } from '../tools-call/open-world.ts';
import { connectorOf, nameAt, pageOf, REVISION } from './scene.ts';

const { PORT = '0', WORLD_ORIGIN = '' } = process.env;
const pool = new Pool(WORLD_ORIGIN);
const call = mcpCall(await delegate(WORLD_ORIGIN, NOBODY));
const { 'mcp-name': _name, ...common } = call.headers;
const list = {
  headers: { ...common, 'mcp-method': 'tools/list' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': REVISION,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
};

async function ask({ path }: BenchConnector, ready: typeof list | typeof call): Promise<string> {
  const answer = await pool.request({ path: `${path}/mcp`, method: 'POST', ...ready });
  return answer.body.text();
}

async function toolsOf(connector: BenchConnector): Promise<object[]> {
  const { result } = JSON.parse(await ask(connector, list));
  return result.tools.map((tool: object) => ({ ...tool, name: nameAt(connector) }));
}

async function answer(authorization: string, body: string): Promise<string> {
  const { method, params } = JSON.parse(body);
  if (method === 'tools/call') {
    const connector = connectorOf(params.name);
    return connector ? ask(connector, call) : '{}';
  }
  const [, payload = ''] = authorization.split('.');
  const { organization_id } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const tools = await Promise.all(pageOf(organization_id, params.cursor).map(toolsOf));
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: tools.flat() } });
}

const server = createServer((req, res) => {
  if (req.url === '/readyz') return void res.end();
  readBody(req)
    .then((body) => answer(req.headers.authorization ?? '', body))
    .then(
      (text) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(text),
      () => res.destroy(),
    );
});
await listen(server, Number(PORT));
