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
import { CreateAgent, DeleteAgent, ListAgents, UpdateAgent } from './agent.ts';
import type { Agents } from './service.ts';

/** `/agents`, for admitted requests. */
export function agentRoutes(deps: {
  agents: Agents;
  makeChange: MakeChange;
  answerOnce: AnswerOnce;
}): Router {
  const { agents, makeChange, answerOnce } = deps;
  const [mayRead, mayWrite] = [requireScope('agents:read'), requireScope('agents:write')];
  const router = Router();

  router
    .route('/')
    .get(mayRead, async (req, res) => {
      res.json(await agents.list(organizationOf(res).id, parseQuery(ListAgents, req.query)));
    })
    .post(mayWrite, ...jsonBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const wanted = parseBody(CreateAgent, req.body);
      await answerOnce(req, res, async (change) => {
        const { value: agent, version } = await agents.create(change, wanted);
        const headers = { Location: `/api/v1/agents/${agent.id}`, ETag: etagOf(version) };
        return { status: 201, headers, body: agent };
      });
    })
    .all(methodNotAllowed(['GET', 'HEAD', 'POST']));

  router
    .route('/:id')
    .get(mayRead, async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: agent, version } = await agents.find(organizationOf(res).id, req.params.id);
      sendVersioned(res, agent, version);
    })
    .patch(mayWrite, ...mergePatchBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: agent, version } = await makeChange(authorOf(req, res), (change) =>
        agents.update(change, String(req.params.id), ifMatch(req), (current) =>
          parsePatch(UpdateAgent, req.body, current),
        ),
      );
      sendVersioned(res, agent, version);
    })
    .delete(mayWrite, async (req, res) => {
      const { force } = parseQuery(DeleteAgent, req.query);
      await makeChange(authorOf(req, res), (change) =>
        agents.remove(change, req.params.id, ifMatch(req), force),
      );
      res.status(204).end();
    })
    .all(methodNotAllowed(['GET', 'HEAD', 'PATCH', 'DELETE']));

  router
    .route('/:id/restore')
    .post(mayWrite, async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: agent, version } = await makeChange(authorOf(req, res), (change) =>
        agents.restore(change, req.params.id),
      );
      sendVersioned(res, agent, version);
    })
    .all(methodNotAllowed(['POST']));

  return router;
}
