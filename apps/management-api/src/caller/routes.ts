import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import { NoQuery, parseQuery } from '../api/validation.ts';
import { findOrganization } from '../organizations/admission.ts';
import { callerOf } from './caller.ts';
import { roleOf, scopesFor } from './rights.ts';

/** `/me`: who the caller is here and what he may do; also for a token without an organization. */
export function meRoutes(): Router {
  const router = Router();
  router
    .route('/')
    .get((req, res) => {
      parseQuery(NoQuery, req.query);
      const { subject, email, name, scope } = callerOf(res);
      const organization = findOrganization(res);
      res.json({
        user: { id: subject, email: email ?? null, name: name ?? null },
        organization: organization ? { id: organization.id, name: organization.name } : null,
        role: organization ? roleOf(res) : null,
        scopes: organization ? scopesFor(roleOf(res), scope) : [],
      });
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}
