import type { OrganizationId } from '@legate/ids';
import { CHANGES, OrganizationChanges } from '@legate/management-contract';
import { type Logger, methodNotAllowed, parseBody } from '@legate/service';
import { requireWorkloadScope } from '@legate/workload/express';
import { Router } from 'express';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import { readJson } from '../../requests/read-json.ts';

const MAX_BODY_BYTES = 32_768;

/**
 * `/internal/v1/changes`, for services that have already authenticated. The data of these organizations is fetched
 * again at the next call, in all processes. Unlike after a revocation, the known data is still used while
 * management-api is down.
 * @param deps.announce notifies the other processes; best effort
 */
export function changeRoutes(deps: {
  registry: Pick<ConnectorRegistry, 'recheckOne'>;
  announce: (organizationId: OrganizationId) => Promise<void>;
  log: Logger;
}): Router {
  const { registry, announce, log } = deps;
  const router = Router();
  router.post(
    CHANGES.route,
    requireWorkloadScope(CHANGES.scope),
    readJson({ maxBytes: MAX_BODY_BYTES }),
    async (req, res) => {
      const { organization_ids } = parseBody(OrganizationChanges, req.body);
      for (const id of organization_ids) registry.recheckOne(id);
      await Promise.all(organization_ids.map((id) => announce(id))).catch((err: unknown) =>
        log.warn({ err }, 'changes: not announced to other replicas'),
      );
      res.set('Cache-Control', 'no-store').json({ noted: true });
    },
  );
  router.all(CHANGES.route, methodNotAllowed(['POST']));
  return router;
}
