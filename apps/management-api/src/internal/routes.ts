import { OrganizationId } from '@legate/ids';
import {
  AGENT_CLIENTS,
  AUDIT_EVENTS,
  CONNECTORS,
  EventBatch,
  LISTED_TOOLS,
  ListedTools,
  MAX_BATCH_BYTES,
} from '@legate/management-contract';
import type { RateLimiter } from '@legate/rate-limit';
import { limitRequests } from '@legate/rate-limit/express';
import { methodNotAllowed, NoQuery, parseBody, unmatchedRoute } from '@legate/service';
import { requireWorkloadScope, workloadOf } from '@legate/workload/express';
import { type Response, Router } from 'express';
import { problem } from '../domain/problem-codes.ts';
import { refuseUnacceptable } from '../http/api/acceptable.ts';
import { jsonBody } from '../http/api/json-body.ts';
import { parseQuery } from '../http/api/query.ts';
import type { ReadAgentClient } from './agent-client.ts';
import type { TakeEvents } from './event-intake.ts';
import type { ReadHubDocument } from './hub-document.ts';
import type { NoteListedTools } from './listed-tools.ts';

/**
 * Limits per workload and kind of request: unauthenticated callers who make a hub look up clients must not keep it
 * from reading the connectors of organizations, or from delivering audit events.
 */
const PER_MINUTE = {
  clients: 6000,
  /** Counted separately, so that invented ids do not use up the limit of registered clients */
  unknownClients: 6000,
  connectors: 12_000,
  tools: 12_000,
  events: 12_000,
} as const;

/**
 * Serves `/internal/v1` to authenticated workloads, not to users. Described in `@legate/management-contract`,
 * which the hub shares, and not in the API's description.
 */
export function internalRoutes(deps: {
  readHubDocument: ReadHubDocument;
  readAgentClient: ReadAgentClient;
  takeEvents: TakeEvents;
  noteListedTools: NoteListedTools;
  limiter: RateLimiter;
  requestsPerMinute?: number | undefined;
}): Router {
  const router = Router();
  const limitBy = (whatOf: (res: Response) => keyof typeof PER_MINUTE) =>
    limitRequests(deps.limiter, (res) => ({
      key: `workload:${whatOf(res)}:${workloadOf(res).clientId}`,
      policy: 'workload',
      limit: deps.requestsPerMinute ?? PER_MINUTE[whatOf(res)],
    }));
  const limit = (what: keyof typeof PER_MINUTE) => limitBy(() => what);

  router
    .route(CONNECTORS.route)
    .all(limit('connectors'))
    .get(requireWorkloadScope(CONNECTORS.scope), refuseUnacceptable, async (req, res) => {
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
          // Express would compute a weak ETag from the body, which contains secrets.
          res.set('Content-Type', 'application/json; charset=utf-8');
          if (document.etag !== undefined) res.set('ETag', document.etag);
          res.end(JSON.stringify(document.body));
      }
    })
    .all(methodNotAllowed(['GET', 'HEAD']));

  router
    .route(AGENT_CLIENTS.route)
    .get(
      requireWorkloadScope(AGENT_CLIENTS.scope),
      refuseUnacceptable,
      async (req, res, next) => {
        parseQuery(NoQuery, req.query);
        res.locals.agentClient = await deps.readAgentClient(String(req.params.client_id));
        next();
      },
      limitBy((res) => (res.locals.agentClient ? 'clients' : 'unknownClients')),
      (_req, res) => {
        res.set('Cache-Control', 'no-store');
        if (!res.locals.agentClient) throw problem('agent_client_not_found');
        res.json(res.locals.agentClient);
      },
    )
    .all(methodNotAllowed(['GET', 'HEAD']));

  router
    .route(LISTED_TOOLS.route)
    .all(limit('tools'))
    .post(
      requireWorkloadScope(LISTED_TOOLS.scope),
      refuseUnacceptable,
      ...jsonBody(['application/json'], 'Accept', MAX_BATCH_BYTES),
      async (req, res) => {
        parseQuery(NoQuery, req.query);
        const listed = parseBody(ListedTools, req.body);
        const id = OrganizationId.safeParse(req.params.id);
        if (id.success) await deps.noteListedTools(id.data, String(req.params.connector_id), listed);
        res.status(204).end();
      },
    )
    .all(methodNotAllowed(['POST']));

  router
    .route(AUDIT_EVENTS.route)
    .all(limit('events'))
    .post(
      requireWorkloadScope(AUDIT_EVENTS.scope),
      refuseUnacceptable,
      ...jsonBody(['application/json'], 'Accept', MAX_BATCH_BYTES),
      async (req, res) => {
        parseQuery(NoQuery, req.query);
        const { events } = parseBody(EventBatch, req.body);
        res.json(await deps.takeEvents(events, workloadOf(res).clientId));
      },
    )
    .all(methodNotAllowed(['POST']));

  router.use(unmatchedRoute);
  return router;
}
