import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import { jsonBody } from '../api/json-body.ts';
import { mergePatchBody, parsePatch } from '../api/merge-patch.ts';
import { etagOf, ifMatch, sendVersioned } from '../api/preconditions.ts';
import { NoQuery, parseBody, parseQuery } from '../api/validation.ts';
import { requireScope } from '../caller/rights.ts';
import type { AnswerOnce } from '../changes/answer-once.ts';
import { authorOf } from '../changes/author.ts';
import type { MakeChange } from '../changes/change.ts';
import { organizationOf } from '../organizations/admission.ts';
import type { Sites } from './service.ts';
import { CreateSite, ListSites, UpdateSite } from './site.ts';

/** `/sites`, for admitted requests. */
export function siteRoutes(deps: { sites: Sites; makeChange: MakeChange; answerOnce: AnswerOnce }): Router {
  const { sites, makeChange, answerOnce } = deps;
  const [mayRead, mayWrite] = [requireScope('sites:read'), requireScope('sites:write')];
  const router = Router();

  router
    .route('/')
    .get(mayRead, async (req, res) => {
      const query = parseQuery(ListSites, req.query);
      res.json(await sites.list(organizationOf(res).id, query));
    })
    .post(mayWrite, ...jsonBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const wanted = parseBody(CreateSite, req.body);
      await answerOnce(req, res, async (change) => {
        const { value: site, version } = await sites.create(change, wanted);
        const headers = { Location: `/api/v1/sites/${site.id}`, ETag: etagOf(version) };
        return { status: 201, headers, body: site };
      });
    })
    .all(methodNotAllowed(['GET', 'HEAD', 'POST']));

  router
    .route('/:id')
    .get(mayRead, async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: site, version } = await sites.find(organizationOf(res).id, req.params.id);
      sendVersioned(res, site, version);
    })
    .patch(mayWrite, ...mergePatchBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: site, version } = await makeChange(authorOf(req, res), (change) =>
        sites.update(change, String(req.params.id), ifMatch(req), (current) =>
          parsePatch(UpdateSite, req.body, current),
        ),
      );
      sendVersioned(res, site, version);
    })
    .delete(mayWrite, async (req, res) => {
      parseQuery(NoQuery, req.query);
      await makeChange(authorOf(req, res), (change) => sites.remove(change, req.params.id, ifMatch(req)));
      res.status(204).end();
    })
    .all(methodNotAllowed(['GET', 'HEAD', 'PATCH', 'DELETE']));

  router
    .route('/:id/restore')
    .post(mayWrite, async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: site, version } = await makeChange(authorOf(req, res), (change) =>
        sites.restore(change, req.params.id),
      );
      sendVersioned(res, site, version);
    })
    .all(methodNotAllowed(['POST']));

  return router;
}
