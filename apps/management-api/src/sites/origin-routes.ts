import { PageQuery } from '@legate/pagination';
import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import { jsonBody } from '../api/json-body.ts';
import { NoQuery, parseBody, parseQuery } from '../api/validation.ts';
import { requireScope } from '../caller/rights.ts';
import type { AnswerOnce } from '../changes/answer-once.ts';
import { authorOf } from '../changes/author.ts';
import type { MakeChange } from '../changes/change.ts';
import { organizationOf } from '../organizations/admission.ts';
import type { SiteOrigins } from './origin-service.ts';
import { addOriginSchema, CheckOrigin, RemoveOrigin } from './site-origin.ts';

/** `/sites/{id}/origins`, for admitted requests. */
export function siteOriginRoutes(deps: {
  origins: SiteOrigins;
  makeChange: MakeChange;
  answerOnce: AnswerOnce;
  clock: () => Date;
}): Router {
  const { origins, makeChange, answerOnce, clock } = deps;
  const [mayRead, mayWrite] = [requireScope('sites:read'), requireScope('sites:write')];
  const router = Router();

  router
    .route('/:id/origins')
    .get(mayRead, async (req, res) => {
      const page = parseQuery(PageQuery, req.query);
      res.json(await origins.list(organizationOf(res).id, req.params.id, page));
    })
    .post(mayWrite, ...jsonBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const wanted = parseBody(addOriginSchema(clock()), req.body);
      await answerOnce(req, res, async (change) => {
        const { origin, added } = await origins.add(change, String(req.params.id), wanted);
        return { status: added ? 201 : 200, headers: {}, body: origin };
      });
    })
    .delete(mayWrite, async (req, res) => {
      const { origin } = parseQuery(RemoveOrigin, req.query);
      await makeChange(authorOf(req, res), (change) => origins.remove(change, req.params.id, origin));
      res.status(204).end();
    })
    .all(methodNotAllowed(['GET', 'HEAD', 'POST', 'DELETE']));

  router
    .route('/:id/origins/check')
    .post(mayRead, ...jsonBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { origin } = parseBody(CheckOrigin, req.body);
      res.json(await origins.check(organizationOf(res).id, String(req.params.id), origin));
    })
    .all(methodNotAllowed(['POST']));

  return router;
}
