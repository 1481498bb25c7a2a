/**
 * A hub with the same function, as the MCP SDK suggests: Express, one SDK client for each user and connector, cached
 * and reused, with the same cache of verified ID tokens. It writes no log, counts nothing, sends no security headers,
 * and stores its tokens unencrypted: it does less than the hub.
 */
import type { Client } from '@modelcontextprotocol/client';
import express from 'express';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { createCallerOf } from './caller-of.ts';
import { delegate } from './delegate.ts';
import { CONNECTOR_ID, WORLD_PATHS } from './scene.ts';

const { PORT = '0', WORLD_ORIGIN = '' } = process.env;
const callerOf = createCallerOf(WORLD_ORIGIN);

interface Connection {
  readonly client: Client;
  readonly expiresAt: number;
}
const connections = new Map<string, Promise<Connection>>();

async function connect(token: string): Promise<Connection> {
  const accessToken = await delegate(WORLD_ORIGIN, token);
  const client = await connectSdkClient(`${WORLD_ORIGIN}${WORLD_PATHS.mcp}`, {
    token: async () => accessToken,
  });
  return { client, expiresAt: Date.now() + 3_300_000 };
}

async function connectionOf(owner: string, token: string): Promise<Connection> {
  const known = await connections.get(owner);
  if (known && Date.now() < known.expiresAt) return known;
  const opening = connect(token);
  connections.set(owner, opening);
  return opening;
}

const app = express();
app.disable('x-powered-by').disable('etag');
app.get('/readyz', (_req, res) => void res.end());
app.post('/api/v1/connectors/:id/tools/:name/call', express.json(), async (req, res) => {
  const caller = await callerOf(req.headers.authorization);
  if (!caller) return void res.status(401).end();
  if (req.params.id !== CONNECTOR_ID) return void res.status(404).end();
  const owner = `${caller.organizationId}:${req.params.id}:${caller.userId}`;
  const { client } = await connectionOf(owner, caller.idToken);
  res.json(await client.callTool({ name: req.params.name, arguments: req.body.arguments }));
});
app.listen(Number(PORT), '127.0.0.1');
