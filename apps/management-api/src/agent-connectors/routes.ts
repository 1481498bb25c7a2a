import { PageQuery } from '@legate/pagination';
import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import { jsonBody } from '../api/json-body.ts';
import { NoQuery, parseBody, parseQuery } from '../api/validation.ts';
import { requireScope } from '../caller/rights.ts';
import { authorOf } from '../changes/author.ts';
import type { MakeChange } from '../changes/change.ts';
import { organizationOf } from '../organizations/admission.ts';
import { PutAgentConnector } from './binding.ts';
import type { AgentConnectors } from './service.ts';

/** `/agents/{id}/connectors`, for admitted requests. */
export function agentConnectorRoutes(deps: {
  agentConnectors: AgentConnectors;
  makeChange: MakeChange;
}): Router {
  const { agentConnectors, makeChange } = deps;
  const [mayRead, mayWrite] = [requireScope('agents:read'), requireScope('agents:write')];
  const router = Router();

  router
    .route('/:id/connectors')
    .get(mayRead, async (req, res) => {
      const page = parseQuery(PageQuery, req.query);
      res.json(await agentConnectors.list(organizationOf(res).id, req.params.id, page));
    })
    .all(methodNotAllowed(['GET', 'HEAD']));

  router
    .route('/:id/connectors/:connectorId')
    .put(mayWrite, ...jsonBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      // Without a body too: the binding is all there is to say.
      const wanted = parseBody(PutAgentConnector, req.body ?? {});
      const { binding, added } = await makeChange(authorOf(req, res), (change) =>
        agentConnectors.put(change, String(req.params.id), String(req.params.connectorId), wanted),
      );
      res.status(added ? 201 : 200).json(binding);
    })
    .delete(mayWrite, async (req, res) => {
      parseQuery(NoQuery, req.query);
      await makeChange(authorOf(req, res), (change) =>
        agentConnectors.remove(change, req.params.id, req.params.connectorId),
      );
      res.status(204).end();
    })
    .all(methodNotAllowed(['PUT', 'DELETE']));

  return router;
}
