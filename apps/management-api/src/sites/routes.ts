import { methodNotAllowed, notFound } from '@legate/service';
import { type Response, Router } from 'express';
import { jsonBody } from '../api/json-body.ts';
import { parseBody, parseQuery } from '../api/validation.ts';
import { requireScope } from '../caller/rights.ts';
import { organizationOf } from '../organizations/admission.ts';
import type { Sites } from './service.ts';
import { CreateSite, ListSites, NoQuery } from './site.ts';
import type { StoredSite } from './store.ts';

/** `/sites`, for admitted requests. */
export function siteRoutes(sites: Sites): Router {
  const router = Router();

  router
    .route('/')
    .get(requireScope('sites:read'), async (req, res) => {
      const page = parseQuery(ListSites, req.query);
      res.json(await sites.list(organizationOf(res).id, page));
    })
    .post(requireScope('sites:write'), ...jsonBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const created = await sites.create(organizationOf(res).id, parseBody(CreateSite, req.body));
      res.status(201).location(`/api/v1/sites/${created.site.id}`);
      sendSite(res, created);
    })
    .all(methodNotAllowed(['GET', 'HEAD', 'POST']));

  router
    .route('/:id')
    .get(requireScope('sites:read'), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const found = await sites.find(organizationOf(res).id, req.params.id);
      if (!found) throw notFound('There is no such site.');
      sendSite(res, found);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));

  return router;
}

/** A strong ETag: the version changes with the site, a time stamp might not (RFC 9110 §8.8.1). */
function sendSite(res: Response, { site, version }: StoredSite): void {
  res.set('ETag', `"${version}"`).json(site);
}
