/**
 * A gateway as the MCP SDK suggests it: the SDK's server on one side; on the other one SDK client per user and
 * connector, created with two plain token requests and then cached. A list asks all clients of the page at once. It
 * checks neither names nor items of a list, omits nothing, writes no log, and keeps its tokens unencrypted.
 */
import type { Client } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import express, { type Request } from 'express';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { createCallerOf, type PeerCaller } from '../tools-call/caller-of.ts';
import { delegate } from '../tools-call/delegate.ts';
import type { BenchConnector } from '../tools-call/open-world.ts';
import { TOOL } from '../tools-call/scene.ts';
import { connectorOf, cursorAfter, nameAt, PAGE_SIZE, pageOf } from './scene.ts';

const { PORT = '0', WORLD_ORIGIN = '' } = process.env;
const callerOf = createCallerOf(WORLD_ORIGIN);
const clients = new Map<string, Promise<Client>>();

async function connect({ idToken }: PeerCaller, { path }: BenchConnector): Promise<Client> {
  const accessToken = await delegate(WORLD_ORIGIN, idToken, path);
  return connectSdkClient(`${WORLD_ORIGIN}${path}/mcp`, { token: async () => accessToken });
}

function clientOf(caller: PeerCaller, connector: BenchConnector): Promise<Client> {
  const owner = `${caller.organizationId}:${connector.id}:${caller.userId}`;
  const opening = clients.get(owner) ?? connect(caller, connector);
  clients.set(owner, opening);
  return opening;
}

async function toolsOf(caller: PeerCaller, connector: BenchConnector) {
  const { tools } = await (await clientOf(caller, connector)).listTools();
  return tools.map((tool) => ({ ...tool, name: nameAt(connector) }));
}

function createServerFor(caller: PeerCaller): Server {
  const server = new Server({ name: 'bench-gateway', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async ({ params }) => {
    const page = pageOf(caller.organizationId, params?.cursor);
    const tools = await Promise.all(page.map((connector) => toolsOf(caller, connector)));
    const last = page.at(-1);
    return {
      tools: tools.flat(),
      ...(page.length === PAGE_SIZE && last && { nextCursor: cursorAfter(last.id) }),
    };
  });
  server.setRequestHandler('tools/call', async ({ params }) => {
    const connector = connectorOf(params.name);
    if (!connector) throw new Error('no such tool');
    const client = await clientOf(caller, connector);
    return client.callTool({ name: TOOL, arguments: params.arguments ?? {} });
  });
  return server;
}

const app = express();
app.disable('x-powered-by').disable('etag');
app.get('/readyz', (_req, res) => void res.end());
app.post('/mcp', async (req, res) => {
  const caller = await callerOf(req.headers.authorization);
  if (!caller) return void res.status(401).end();
  const handler = createMcpHandler(() => createServerFor(caller));
  const plain: Omit<Request, 'auth'> = req; // a library of another peer declares `auth` on `Request`
  await toNodeHandler(handler)(plain, res);
});
app.listen(Number(PORT), '127.0.0.1');
