import { PageQuery, toPage } from '@legate/pagination';
import type { RateLimiter } from '@legate/rate-limit';
import { methodNotAllowed, Problem, parseBody, parseQuery, validationFailed } from '@legate/service';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { type ConnectorAccess, readAgentId, requireConnector } from '../../connectors/access.ts';
import { limitUser } from '../../limits/per-minute.ts';
import { connectionStoreUnavailable } from '../../refusals/connection-problems.ts';
import { callerOf } from '../../sign-in/authenticate.ts';
import { forAgents, forUser } from '../../sign-in/served-for.ts';
import type { ConnectedAccounts, ConnectionStatus } from './connected-accounts.ts';
import type { ConsentFlow } from './consent-flow.ts';
import { FurtherScopes } from './further-scopes.ts';

export const ConnectBody = z
  .strictObject({
    scopes: FurtherScopes.default([]),
    return_to: z.string().optional(),
  })
  .default({ scopes: [] });

/**
 * `/connectors/{id}/connections`: how an application has its user connect an account there, and disconnect it.
 * `/connections`: all accounts of the user, and where one can be connected.
 */
export function connectionRoutes(deps: {
  access: ConnectorAccess;
  consentFlow: ConsentFlow;
  accounts: ConnectedAccounts;
  limiter: RateLimiter;
  /** Pages that may be returned to */
  returnTo: readonly string[];
}): Router {
  const connectorOf = async (req: Request<{ connectorId: string }>, res: Response) =>
    requireConnector(
      await deps.access(callerOf(res), readAgentId(req, callerOf(res))),
      req.params.connectorId,
    );

  const router = Router();
  router
    .route('/connectors/:connectorId/connections')
    .post(
      forAgents,
      orStoreUnavailable(async (req, res) => {
        const { scopes, return_to: returnTo } = readConnectBody(req.body, deps.returnTo);
        await limitUser(deps.limiter, 'links', callerOf(res));
        const request = { scopes, returnTo, agentId: readAgentId(req, callerOf(res)) };
        const { url, expiresAt } = await deps.consentFlow.begin(
          callerOf(res),
          await connectorOf(req, res),
          request,
        );
        res
          .status(201)
          .set('Cache-Control', 'no-store')
          .json({ authorize_url: url, expires_at: expiresAt.toISOString() });
      }),
    )
    .get(
      forAgents,
      orStoreUnavailable(async (req, res) => {
        const status = await deps.accounts.statusOf(callerOf(res), await connectorOf(req, res));
        res.set('Cache-Control', 'no-store').json(toWire(status));
      }),
    )
    .delete(
      forUser,
      orStoreUnavailable(async (req, res) => {
        await deps.accounts.disconnect(callerOf(res), await connectorOf(req, res));
        res.status(204).end();
      }),
    )
    .all(methodNotAllowed(['GET', 'HEAD', 'POST', 'DELETE']));

  router
    .route('/connections')
    .get(
      forAgents,
      orStoreUnavailable(async (req, res) => {
        const page = parseQuery(PageQuery, req.query);
        const caller = callerOf(res);
        const { connectors } = await deps.access(caller, readAgentId(req, caller));
        const all = [...connectors.values()].filter(deps.accounts.isUsedBy);
        const items = await Promise.all(
          all.slice(page.offset, page.offset + page.limit).map(async (connector) => ({
            connector_id: connector.id,
            name: connector.name,
            resource: connector.resource,
            ...toWire(await deps.accounts.statusOf(caller, connector)),
          })),
        );
        res.set('Cache-Control', 'no-store').json(toPage(items, all.length, page));
      }),
    )
    .all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}

const toWire = (status: ConnectionStatus) => ({
  connected: status.isConnected,
  scopes: status.scopes,
  expires_at: status.expiresAt?.toISOString() ?? null,
});

/** Only the store throws anything but problems here, and without it there is no result. */
const orStoreUnavailable =
  <Params>(handler: (req: Request<Params>, res: Response) => Promise<void>): RequestHandler<Params> =>
  async (req, res) => {
    await handler(req, res).catch((err: unknown) => {
      throw err instanceof Problem ? err : connectionStoreUnavailable(err);
    });
  };

function readConnectBody(body: unknown, returnTo: readonly string[]): z.output<typeof ConnectBody> {
  const read = parseBody(ConnectBody, body);
  // Must equal one of ours, or this would be an open redirect.
  if (read.return_to !== undefined && !returnTo.includes(read.return_to))
    throw validationFailed([{ pointer: '/return_to', code: 'invalid_enum', detail: 'Not known here.' }]);
  return read;
}
