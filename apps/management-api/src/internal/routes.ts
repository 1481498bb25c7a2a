import { OrganizationId } from '@legate/ids';
import type { RateLimiter } from '@legate/rate-limit';
import { limitRequests } from '@legate/rate-limit/express';
import { methodNotAllowed, NoQuery, parseBody, unmatchedRoute } from '@legate/service';
import { requireWorkloadScope, workloadOf } from '@legate/workload/express';
import { Router } from 'express';
import { z } from 'zod';
import { refuseUnacceptable } from '../api/acceptable.ts';
import { jsonBody } from '../api/json-body.ts';
import { parseQuery } from '../api/query.ts';
import { problem } from '../domain/problem-codes.ts';
import type { TakeEvents } from './event-intake.ts';
import type { ReadHubDocument } from './hub-document.ts';

const MAX_EVENTS = 500;
const MAX_BODY_BYTES = 1_048_576;
const Batch = z.strictObject({ events: z.array(z.unknown()).min(1).max(MAX_EVENTS) });

/**
 * `/internal/v1`, for authenticated workloads and no user. Not in the API's description: its other side is the hub, which is
 * released with it.
 */
export function internalRoutes(deps: {
  readHubDocument: ReadHubDocument;
  takeEvents: TakeEvents;
  limiter: RateLimiter;
  requestsPerMinute: number;
}): Router {
  const router = Router();
  router.use(
    limitRequests(deps.limiter, (res) => ({
      key: `workload:${workloadOf(res).clientId}`,
      policy: 'workload',
      limit: deps.requestsPerMinute,
    })),
  );

  router
    .route('/organizations/:id/connectors')
    .get(requireWorkloadScope('internal:connectors'), refuseUnacceptable, async (req, res) => {
      parseQuery(NoQuery, req.query);
      const known = req.get('If-None-Match');
      const id = OrganizationId.safeParse(req.params.id);
      const document = id.success
        ? await deps.readHubDocument(id.data, (etag) => etag === known)
        : ({ kind: 'unknown' } as const);
      res.set('Cache-Control', 'no-store');
      switch (document.kind) {
        case 'unknown':
          throw problem('organization_not_found');
        case 'not_modified':
          return void res.status(304).set('ETag', document.etag).end();
        case 'found':
          // Express would make a weak one of its own, and from the secrets.
          res.set('Content-Type', 'application/json; charset=utf-8');
          if (document.etag !== undefined) res.set('ETag', document.etag);
          res.end(JSON.stringify(document.body));
      }
    })
    .all(methodNotAllowed(['GET', 'HEAD']));

  router
    .route('/audit-events')
    .post(
      requireWorkloadScope('internal:audit-events'),
      refuseUnacceptable,
      ...jsonBody(['application/json'], 'Accept', MAX_BODY_BYTES),
      async (req, res) => {
        parseQuery(NoQuery, req.query);
        const { events } = parseBody(Batch, req.body);
        res.json(await deps.takeEvents(events, workloadOf(res).clientId));
      },
    )
    .all(methodNotAllowed(['POST']));

  router.use(unmatchedRoute);
  return router;
}
