import { PageQuery, toPage } from '@legate/pagination';
import { type FieldProblem, methodNotAllowed, Problem } from '@legate/service';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { callerOf } from '../caller/authenticate.ts';
import { Presence } from '../caller/presence.ts';
import type { Endings } from '../sessions/endings.ts';
import { untilEnded } from '../sessions/until-ended.ts';
import type { Tools } from '../upstream/tools.ts';
import { type ConnectorAccess, readAgentId, requireConnector } from './access.ts';
import type { Connector } from './connector.ts';

/** What an application learns of the connectors of its user's organization, or of one of its agents. */
export function connectorRoutes(deps: {
  access: ConnectorAccess;
  /** Ends a request whose session ends meanwhile. */
  watch: Endings['watch'];
  tools: Tools;
  /** For what reads no token, and with it no sign-out */
  refuseSignedOut: RequestHandler;
}): Router {
  const { access, watch, tools } = deps;
  const connectorsOf = (req: Pick<Request, 'get'>, res: Response) => access(callerOf(res), readAgentId(req));
  const router = Router();

  router.get('/connectors/:connectorId/tools', async (req, res) => {
    const caller = callerOf(res);
    const presence = Presence.of(res);
    const waiting = { caller, presence, at: { connectorId: req.params.connectorId } };
    const { tools: list, actsAs } = await untilEnded(watch, waiting, async () => {
      const connector = requireConnector(await connectorsOf(req, res), req.params.connectorId);
      return tools.list(caller, connector, presence);
    });
    res.set({ 'Cache-Control': 'no-store', 'Legate-Acts-As': actsAs }).json({ tools: list });
  });

  router.get('/connectors', deps.refuseSignedOut, async (req, res) => {
    const page = parsePage(req);
    const connectors = [...(await connectorsOf(req, res)).connectors.values()];
    const items = connectors.slice(page.offset, page.offset + page.limit).map(toWire);
    res.set('Cache-Control', 'no-store').json(toPage(items, connectors.length, page));
  });

  router.all('/connectors/:connectorId/tools/:name/call', methodNotAllowed(['POST']));
  router.all(['/connectors', '/connectors/:connectorId/tools'], methodNotAllowed(['GET', 'HEAD']));
  return router;
}

/** Without what only the hub may know. */
const toWire = (connector: Connector) => ({
  id: connector.id,
  name: connector.name,
  resource: connector.resource,
  auth_method: connector.methods[0].method,
  scopes: connector.scopes,
});

function parsePage(req: Request) {
  const parsed = PageQuery.safeParse(req.query);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue): FieldProblem[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          parameter: key,
          code: 'unknown',
          detail: 'is not a parameter of this list',
        }))
      : [{ parameter: issue.path.join('.'), code: 'invalid', detail: issue.message }],
  );
  throw new Problem(400, 'validation_failed', 'Request validation failed', { errors });
}
