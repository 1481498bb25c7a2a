import { methodNotAllowed } from '@legate/service';
import { type Response, Router } from 'express';
import { mergePatchBody, parsePatch } from '../api/merge-patch.ts';
import { ifMatch, sendVersioned } from '../api/preconditions.ts';
import { NoQuery, parseQuery } from '../api/validation.ts';
import { callerOf } from '../caller/caller.ts';
import { requireScope, roleOf } from '../caller/rights.ts';
import { authorOf } from '../changes/author.ts';
import type { MakeChange } from '../changes/change.ts';
import { organizationOf } from '../organizations/admission.ts';
import { ListMembers, UpdateMember } from './member.ts';
import type { Memberships } from './memberships.ts';
import type { Actor, Members } from './service.ts';

/** `/members`, for admitted requests. Members come by onboarding; here they are looked at, changed and removed. */
export function memberRoutes(deps: {
  members: Members;
  memberships: Memberships;
  makeChange: MakeChange;
}): Router {
  const { members, memberships, makeChange } = deps;
  const [mayRead, mayWrite] = [requireScope('members:read'), requireScope('members:write')];
  const actorOf = (res: Response): Actor => ({ userId: callerOf(res).subject, tokenRole: roleOf(res) });
  const router = Router();

  router
    .route('/')
    .get(mayRead, async (req, res) => {
      res.json(await members.list(organizationOf(res).id, parseQuery(ListMembers, req.query)));
    })
    .all(methodNotAllowed(['GET', 'HEAD']));

  router
    .route('/:id')
    .get(mayRead, async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: member, version } = await members.find(organizationOf(res).id, req.params.id);
      sendVersioned(res, member, version);
    })
    .patch(mayWrite, ...mergePatchBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: member, version } = await makeChange(authorOf(req, res), (change) =>
        members.update(change, actorOf(res), String(req.params.id), ifMatch(req), (current) =>
          parsePatch(UpdateMember, req.body, current),
        ),
      );
      memberships.forget(organizationOf(res).id, member.user_id);
      sendVersioned(res, member, version);
    })
    .delete(mayWrite, async (req, res) => {
      parseQuery(NoQuery, req.query);
      const removed = await makeChange(authorOf(req, res), (change) =>
        members.remove(change, actorOf(res), req.params.id, ifMatch(req)),
      );
      memberships.forget(organizationOf(res).id, removed.user_id);
      res.status(204).end();
    })
    .all(methodNotAllowed(['GET', 'HEAD', 'PATCH', 'DELETE']));

  return router;
}
