import { methodNotAllowed, Problem } from '@legate/service';
import { Router } from 'express';
import { callerOf } from '../caller/authenticate.ts';
import { NO_CONNECTORS } from '../connectors/connector-set.ts';
import type { ConnectorRegistry } from '../connectors/registry.ts';
import type { Delegations } from './delegations.ts';

/** `DELETE /tokens`: an application calls it when its user signs out. Drops the caller's tokens, and nobody else's. */
export function tokenRoutes(deps: { registry: ConnectorRegistry; delegations: Delegations }): Router {
  const router = Router();
  router.delete('/tokens', async (_req, res) => {
    const caller = callerOf(res);
    // Removing what is kept takes the list of connectors; that nothing of it is used any more does not.
    const own = await deps.registry.of(caller.organizationId).catch(() => NO_CONNECTORS);
    await deps.delegations.signOut(caller, [...own.connectors.values()]).catch((cause: unknown) => {
      throw new Problem(503, 'token_store_unavailable', 'Token store unavailable', {
        detail: 'The tokens could not be dropped. Try again.',
        headers: { 'Retry-After': '5' },
        cause,
      });
    });
    res.status(204).end();
  });
  router.all('/tokens', methodNotAllowed(['DELETE']));
  return router;
}
