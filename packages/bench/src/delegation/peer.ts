/**
 * Delegation with the MCP SDK: one client per user, whose `CrossAppAccessProvider` finds the authorization server,
 * exchanges and redeems. The identity provider's token endpoint is configured; the SDK discovers the rest for each
 * client, since it does not cache discovery. It checks less than the hub, and caches only clients.
 */
import {
  type Client,
  CrossAppAccessProvider,
  requestJwtAuthorizationGrant,
} from '@modelcontextprotocol/client';
import express from 'express';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { createCallerOf } from '../tools-call/caller-of.ts';
import {
  CONNECTOR_CLIENT_ID,
  CONNECTOR_CLIENT_SECRET,
  CONNECTOR_ID,
  HUB_CLIENT_ID,
  HUB_CLIENT_SECRET,
  SCOPE,
  WORLD_PATHS,
} from '../tools-call/scene.ts';

const { PORT = '0', WORLD_ORIGIN = '' } = process.env;
const callerOf = createCallerOf(WORLD_ORIGIN);
const clients = new Map<string, Promise<Client>>();

async function connect(idToken: string): Promise<Client> {
  const authProvider = new CrossAppAccessProvider({
    clientId: CONNECTOR_CLIENT_ID,
    clientSecret: CONNECTOR_CLIENT_SECRET,
    expectedIssuer: `${WORLD_ORIGIN}${WORLD_PATHS.resource}`,
    async assertion({ authorizationServerUrl, resourceUrl, fetchFn }) {
      const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
        tokenEndpoint: `${WORLD_ORIGIN}${WORLD_PATHS.idpToken}`,
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken,
        clientId: HUB_CLIENT_ID,
        clientSecret: HUB_CLIENT_SECRET,
        scope: SCOPE,
        fetchFn,
      });
      return jwtAuthGrant;
    },
  });
  return connectSdkClient(`${WORLD_ORIGIN}${WORLD_PATHS.mcp}`, authProvider);
}

const app = express();
app.disable('x-powered-by').disable('etag');
app.get('/readyz', (_req, res) => void res.end());
app.post('/api/v1/connectors/:id/tools/:name/call', express.json(), async (req, res) => {
  const caller = await callerOf(req.headers.authorization);
  if (!caller) return void res.status(401).end();
  if (req.params.id !== CONNECTOR_ID) return void res.status(404).end();
  const owner = `${caller.organizationId}:${caller.userId}`;
  const opening = clients.get(owner) ?? connect(caller.idToken);
  clients.set(owner, opening);
  const client = await opening;
  res.json(await client.callTool({ name: req.params.name, arguments: req.body.arguments }));
});
app.listen(Number(PORT), '127.0.0.1');
