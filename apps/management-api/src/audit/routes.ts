import { methodNotAllowed, notFound } from '@legate/service';
import { Router } from 'express';
import { NoQuery, parseQuery } from '../api/validation.ts';
import { requireScope } from '../caller/rights.ts';
import { organizationOf } from '../organizations/admission.ts';
import { ListAuditEvents } from './audit-event.ts';
import type { AuditTrail } from './trail.ts';

/** `/audit-events`, for admitted requests. */
export function auditRoutes(trail: AuditTrail): Router {
  const mayRead = requireScope('audit:read');
  const router = Router();
  router
    .route('/')
    .get(mayRead, async (req, res) => {
      res.json(await trail.list(organizationOf(res).id, parseQuery(ListAuditEvents, req.query)));
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/:id')
    .get(mayRead, async (req, res) => {
      parseQuery(NoQuery, req.query);
      const event = await trail.find(organizationOf(res).id, req.params.id);
      if (!event) throw notFound('There is no such event.');
      res.json(event);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}
