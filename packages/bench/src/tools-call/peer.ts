/**
 * A hub of the same function in the way that the MCP SDK suggests: Express, one SDK client for each user and connector,
 * kept and used again, with the same cache of verified ID tokens. It writes no log, counts nothing, sends no security
 * headers, and keeps its tokens in the clear: it does less than the hub, not more.
 */
import { cacheVerified, createKeySet, createTokenVerifier, idToken } from '@legate/jwt';
import { readBearer } from '@legate/oauth';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import express from 'express';
import type { JSONWebKeySet } from 'jose';
import { request } from 'undici';
import { delegate } from './delegate.ts';
import { APPLICATION_ID, CONNECTOR_ID, WORLD_PATHS } from './scene.ts';

const { PORT = '0', WORLD_ORIGIN = '' } = process.env;
const clock = () => new Date();
const issuer = `${WORLD_ORIGIN}${WORLD_PATHS.idp}`;
const keys = createKeySet({
  issuer,
  load: async () =>
    (await (await request(`${WORLD_ORIGIN}${WORLD_PATHS.idpJwks}`)).body.json()) as JSONWebKeySet,
  clock,
});
const verify = cacheVerified(
  createTokenVerifier(idToken, { issuers: [{ issuer, keys }], audience: APPLICATION_ID, clock }),
  { clock },
);

interface Connection {
  readonly client: Client;
  readonly expiresAt: number;
}
const connections = new Map<string, Promise<Connection>>();

async function connect(token: string): Promise<Connection> {
  const accessToken = await delegate(WORLD_ORIGIN, token);
  const client = new Client(
    { name: 'bench-peer', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${WORLD_ORIGIN}${WORLD_PATHS.mcp}`), {
      authProvider: { token: async () => accessToken },
    }),
  );
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
  const bearer = readBearer(req.headers.authorization);
  if (bearer.kind !== 'token') return void res.status(401).end();
  const { claims } = await verify(bearer.token);
  if (req.params.id !== CONNECTOR_ID || claims.organization_id === undefined)
    return void res.status(404).end();
  const owner = `${claims.organization_id}:${req.params.id}:${claims.sub}`;
  const { client } = await connectionOf(owner, bearer.token);
  res.json(await client.callTool({ name: req.params.name, arguments: req.body.arguments }));
});
app.listen(Number(PORT), '127.0.0.1');
