import { type FieldProblem, methodNotAllowed, Problem } from '@legate/service';
import { requireWorkloadScope } from '@legate/workload/express';
import { Router } from 'express';
import { readJson } from '../connectors/read-json.ts';
import { RevocationRequest } from './revocation.ts';
import type { Revoke } from './service.ts';

const MAX_BODY_BYTES = 4096;

/** `/revocations`, for authenticated workloads. */
export function revocationRoutes(revoke: Revoke): Router {
  const router = Router();
  router.post(
    '/revocations',
    requireWorkloadScope('internal:revocations'),
    readJson({ maxBytes: MAX_BODY_BYTES }),
    async (req, res) => {
      await revoke(parse(req.body));
      // How many there were is not known: they are not searched for.
      res.set('Cache-Control', 'no-store').json({ revoked: true });
    },
  );
  router.all('/revocations', methodNotAllowed(['POST']));
  return router;
}

function parse(body: unknown): RevocationRequest {
  const parsed = RevocationRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(
    ({ path, message }): FieldProblem => ({
      pointer: path.map((part) => `/${String(part)}`).join(''),
      code: 'invalid',
      detail: message,
    }),
  );
  throw new Problem(400, 'validation_failed', 'Validation failed', { errors });
}
