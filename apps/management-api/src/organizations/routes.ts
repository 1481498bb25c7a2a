import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import { mergePatchBody, parsePatch } from '../api/merge-patch.ts';
import { ifMatch, sendVersioned } from '../api/preconditions.ts';
import { NoQuery, parseQuery } from '../api/validation.ts';
import { requireScope } from '../caller/rights.ts';
import { authorOf } from '../changes/author.ts';
import type { MakeChange } from '../changes/change.ts';
import { organizationOf } from './admission.ts';
import { DeleteOrganization, UpdateOrganization } from './organization.ts';
import type { Profiles } from './profile-service.ts';
import type { Organizations } from './service.ts';

/** `/organization`, for admitted requests: the one that the token names. */
export function organizationRoutes(deps: {
  profiles: Profiles;
  organizations: Organizations;
  makeChange: MakeChange;
}): Router {
  const { profiles, organizations, makeChange } = deps;
  const router = Router();

  router
    .route('/')
    .get(requireScope('org:read'), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: organization, version } = await profiles.find(organizationOf(res).id);
      sendVersioned(res, organization, version);
    })
    .patch(requireScope('org:write'), ...mergePatchBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: organization, version } = await makeChange(authorOf(req, res), (change) =>
        profiles.update(change, ifMatch(req), (current) => parsePatch(UpdateOrganization, req.body, current)),
      );
      organizations.forget(organization.id);
      sendVersioned(res, organization, version);
    })
    // The right to write the organization is the owners' alone.
    .delete(requireScope('org:write'), async (req, res) => {
      const { confirm } = parseQuery(DeleteOrganization, req.query);
      const { value: organization, version } = await makeChange(authorOf(req, res), (change) =>
        profiles.remove(change, ifMatch(req), confirm),
      );
      organizations.forget(organization.id);
      sendVersioned(res.status(202), organization, version);
    })
    .all(methodNotAllowed(['GET', 'HEAD', 'PATCH', 'DELETE']));

  return router;
}
