import { REVOCATIONS, RevocationRequest } from '@legate/management-contract';
import type { RateLimiter } from '@legate/rate-limit';
import { methodNotAllowed, parseBody } from '@legate/service';
import { requireWorkloadScope, workloadOf } from '@legate/workload/express';
import { Router } from 'express';
import { limitService } from '../../limits/per-minute.ts';
import { readJson } from '../../requests/read-json.ts';
import type { Revoke } from './service.ts';

const MAX_BODY_BYTES = 4096;

/** `/revocations`, for authenticated workloads. */
export function revocationRoutes(deps: { revoke: Revoke; limiter: RateLimiter }): Router {
  const router = Router();
  router.post(
    REVOCATIONS.route,
    requireWorkloadScope(REVOCATIONS.scope),
    async (_req, res, next) => {
      await limitService(deps.limiter, workloadOf(res).clientId);
      next();
    },
    readJson({ maxBytes: MAX_BODY_BYTES }),
    async (req, res) => {
      await deps.revoke(parseBody(RevocationRequest, req.body), workloadOf(res).clientId);
      // Their number is unknown: the hub does not search for them.
      res.set('Cache-Control', 'no-store').json({ revoked: true });
    },
  );
  router.all(REVOCATIONS.route, methodNotAllowed(['POST']));
  return router;
}
