import { PageQuery, toPage } from '@legate/pagination';
import { methodNotAllowed, parseQuery } from '@legate/service';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ListTools } from '../../calls/list-tools.ts';
import { untilEnded } from '../../calls/until-ended.ts';
import { type ConnectorAccess, readAgentId, requireConnector } from '../../connectors/access.ts';
import type { Connector } from '../../domain/connector.ts';
import { Presence } from '../../domain/presence.ts';
import { callerOf } from '../../sign-in/authenticate.ts';
import type { Endings } from '../../sign-in/endings.ts';
import { forAgents } from '../../sign-in/served-for.ts';
import { TOOL_CALL_PATH } from './tool-call-route.ts';

/** Shows applications the connectors of their user's organization, or of one of its agents. */
export function connectorRoutes(deps: {
  access: ConnectorAccess;
  /** Cancels a request if its session ends meanwhile. */
  watch: Endings['watch'];
  listTools: ListTools;
  /** For routes that read no token, and thus no sign-out */
  refuseSignedOut: RequestHandler;
  /** For one list, however many requests it takes */
  timeoutMs: number;
}): Router {
  const { access, watch, listTools, timeoutMs } = deps;
  const connectorsOf = (req: Pick<Request, 'get'>, res: Response) =>
    access(callerOf(res), readAgentId(req, callerOf(res)));
  const router = Router();

  router.get('/connectors/:connectorId/tools', forAgents, async (req, res) => {
    const caller = callerOf(res);
    const presence = Presence.of(res);
    const waiting = { caller, presence, at: { connectorId: req.params.connectorId } };
    const { tools, actsAs } = await untilEnded(watch, waiting, async () => {
      const connector = requireConnector(await connectorsOf(req, res), req.params.connectorId);
      return listTools(caller, connector, performance.now() + timeoutMs, presence);
    });
    const texts = tools.map(({ json }) => json);
    res
      .set({ 'Cache-Control': 'no-store', 'Legate-Acts-As': actsAs })
      .type('application/json')
      .send(`{"tools":[${texts.join(',')}]}`);
  });

  router.get('/connectors', forAgents, deps.refuseSignedOut, async (req, res) => {
    const page = parseQuery(PageQuery, req.query);
    const connectors = [...(await connectorsOf(req, res)).connectors.values()];
    const items = connectors.slice(page.offset, page.offset + page.limit).map(toWire);
    res.set('Cache-Control', 'no-store').json(toPage(items, connectors.length, page));
  });

  router.all(TOOL_CALL_PATH, methodNotAllowed(['POST']));
  router.all(['/connectors', '/connectors/:connectorId/tools'], methodNotAllowed(['GET', 'HEAD']));
  return router;
}

/** Removes what only the hub may see. */
const toWire = (connector: Connector) => ({
  id: connector.id,
  slug: connector.slug,
  name: connector.name,
  resource: connector.resource,
  auth_method: connector.methods[0].method,
  scopes: connector.scopes,
});
