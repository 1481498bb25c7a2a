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
import type { CheckConnector } from './check.ts';
import { CreateConnector, ListConnectors, PutSecret, UpdateConnector } from './connector.ts';
import type { SecretCipher } from './secret-cipher.ts';
import type { Connectors } from './service.ts';

/** `/connectors`, for admitted requests. */
export function connectorRoutes(deps: {
  connectors: Connectors;
  check: CheckConnector;
  cipher: Pick<SecretCipher, 'fingerprint'>;
  makeChange: MakeChange;
  answerOnce: AnswerOnce;
}): Router {
  const { connectors, check, cipher, makeChange, answerOnce } = deps;
  const [mayRead, mayWrite] = [requireScope('connectors:read'), requireScope('connectors:write')];
  const router = Router();

  router
    .route('/')
    .get(mayRead, async (req, res) => {
      res.json(await connectors.list(organizationOf(res).id, parseQuery(ListConnectors, req.query)));
    })
    .post(mayWrite, ...jsonBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const wanted = parseBody(CreateConnector, req.body);
      // The hash of the body is kept with an Idempotency-Key, and must not let anyone try out secrets.
      if (wanted.secret !== undefined) req.body = { ...req.body, secret: cipher.fingerprint(wanted.secret) };
      await answerOnce(req, res, async (change) => {
        const { value: connector, version } = await connectors.create(change, wanted);
        const headers = { Location: `/api/v1/connectors/${connector.id}`, ETag: etagOf(version) };
        return { status: 201, headers, body: connector };
      });
    })
    .all(methodNotAllowed(['GET', 'HEAD', 'POST']));

  router
    .route('/:id')
    .get(mayRead, async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: connector, version } = await connectors.find(organizationOf(res).id, req.params.id);
      sendVersioned(res, connector, version);
    })
    .patch(mayWrite, ...mergePatchBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: connector, version } = await makeChange(authorOf(req, res), (change) =>
        connectors.update(change, String(req.params.id), ifMatch(req), (current) =>
          parsePatch(UpdateConnector, req.body, current),
        ),
      );
      sendVersioned(res, connector, version);
    })
    .delete(mayWrite, async (req, res) => {
      parseQuery(NoQuery, req.query);
      await makeChange(authorOf(req, res), (change) =>
        connectors.remove(change, req.params.id, ifMatch(req)),
      );
      res.status(204).end();
    })
    .all(methodNotAllowed(['GET', 'HEAD', 'PATCH', 'DELETE']));

  router
    .route('/:id/restore')
    .post(mayWrite, async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: connector, version } = await makeChange(authorOf(req, res), (change) =>
        connectors.restore(change, req.params.id),
      );
      sendVersioned(res, connector, version);
    })
    .all(methodNotAllowed(['POST']));

  router
    .route('/:id/secret')
    .put(mayWrite, ...jsonBody(), async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { secret } = parseBody(PutSecret, req.body);
      await makeChange(authorOf(req, res), (change) =>
        connectors.putSecret(change, String(req.params.id), ifMatch(req), secret),
      );
      res.status(204).end();
    })
    .delete(mayWrite, async (req, res) => {
      parseQuery(NoQuery, req.query);
      await makeChange(authorOf(req, res), (change) =>
        connectors.removeSecret(change, req.params.id, ifMatch(req)),
      );
      res.status(204).end();
    })
    .all(methodNotAllowed(['PUT', 'DELETE']));

  router
    .route('/:id/check')
    .post(mayWrite, async (req, res) => {
      parseQuery(NoQuery, req.query);
      const { value: connector, version } = await check(authorOf(req, res), req.params.id);
      sendVersioned(res, connector, version);
    })
    .all(methodNotAllowed(['POST']));

  return router;
}
