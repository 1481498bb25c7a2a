import { PageQuery } from '@legate/pagination';
import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import { jsonBody } from '../api/json-body.ts';
import { NoQuery, parseBody, parseQuery } from '../api/validation.ts';
import { requireScope } from '../caller/rights.ts';
import { authorOf } from '../changes/author.ts';
import type { MakeChange } from '../changes/change.ts';
import { organizationOf } from '../organizations/admission.ts';
import { PutSiteAgent, type SiteAgents } from './site-agents.ts';

/** `/sites/{id}/agents`, for admitted requests. */
export function siteAgentRoutes(deps: { siteAgents: SiteAgents; makeChange: MakeChange }): Router {
  const { siteAgents, makeChange } = deps;
  const [mayRead, mayWrite] = [requireScope('sites:read'), requireScope('sites:write')];
  const router = Router();

  router
    .route('/:id/agents')
    .get(mayRead, async (req, res) => {
      const page = parseQuery(PageQuery, req.query);
      res.json(await siteAgents.list(organizationOf(res).id, req.params.id, page));
    })
    .all(methodNotAllowed(['GET', 'HEAD']));

  router
    .route('/:id/agents/:agentId')
    .put(mayWrite, ...jsonBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      // Without a body too: the link is all there is to say.
      const { is_default } = parseBody(PutSiteAgent, req.body ?? {});
      const { link, added } = await makeChange(authorOf(req, res), (change) =>
        siteAgents.put(change, String(req.params.id), String(req.params.agentId), is_default),
      );
      res.status(added ? 201 : 200).json(link);
    })
    .delete(mayWrite, async (req, res) => {
      parseQuery(NoQuery, req.query);
      await makeChange(authorOf(req, res), (change) =>
        siteAgents.remove(change, req.params.id, req.params.agentId),
      );
      res.status(204).end();
    })
    .all(methodNotAllowed(['PUT', 'DELETE']));

  return router;
}
