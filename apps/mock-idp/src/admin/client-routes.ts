import { parseBody } from '@legate/service';
import { Router } from 'express';
import type { Directory } from '../directory/directory.ts';
import type { Client } from '../directory/model.ts';
import { ClientEntry, ResourceServerEntry, toClient, toResourceServer } from '../directory/wire.ts';
import { problem } from './problem-codes.ts';

/**
 * `/clients` and `/resource-servers`
 * @param deps.checkClient throws an Error whose message says what oidc-provider finds wrong with a client
 */
export function clientRoutes(deps: {
  directory: Directory;
  checkClient: (client: Client) => Promise<void>;
}): Router {
  const { directory, checkClient } = deps;
  const router = Router();

  router.post('/clients', async (req, res) => {
    const client = toClient(parseBody(ClientEntry, req.body));
    await checkClient(client).catch((cause: unknown) => {
      throw problem('validation_failed', {
        detail: 'The redirect URIs, grant types or keys contradict each other.',
        cause,
      });
    });
    // RFC 9700 §4.15: the client's own token (client credentials) would have the same `sub` as this user's.
    if (await directory.users.find(client.clientId))
      throw problem('client_exists', {
        detail: 'A user has this id. Users and clients need different ids, since both are used as `sub`.',
      });
    if (!(await directory.clients.add(client.clientId, client)))
      throw problem('client_exists', { detail: 'This client_id is taken.' });
    res.status(201).json({ client_id: client.clientId, name: client.name, public: client.isPublic });
  });

  router.post('/resource-servers', async (req, res) => {
    const server = toResourceServer(parseBody(ResourceServerEntry, req.body));
    if (!(await directory.resourceServers.add(server.resource, server)))
      throw problem('resource_server_exists', {
        detail: 'This resource is registered. PUT /admin/resource-servers replaces its registration.',
      });
    res.status(201).json({ resource: server.resource, accepts: server.accepts, scopes: server.scopes });
  });
  router.put('/resource-servers', async (req, res) => {
    const server = toResourceServer(parseBody(ResourceServerEntry, req.body));
    await directory.resourceServers.put(server.resource, server);
    res.json({ resource: server.resource, accepts: server.accepts, scopes: server.scopes });
  });
  return router;
}
