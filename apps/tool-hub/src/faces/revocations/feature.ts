import type { CertificateConnections, Connections, RevokedTokens, TokenCache } from '@legate/delegation';
import type { OrganizationId } from '@legate/ids';
import { REVOCATION_REASON } from '@legate/management-contract';
import type { RateLimiter } from '@legate/rate-limit';
import type { Logger } from '@legate/service';
import type { VerifyWorkload } from '@legate/workload';
import { authenticateWorkload } from '@legate/workload/express';
import { Router } from 'express';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import { revocationRoutes } from './routes.ts';
import { createRevoke } from './service.ts';

/** For calls that run when the secret of their connector changes: longer than nearly all of them take */
const ROTATION_GRACE_MS = 30_000;

/** `/internal/v1`, for services: what is kept in sessions, cache and connections ends together. */
export function createRevocations(deps: {
  verifyWorkload: VerifyWorkload;
  sessions: Pick<Sessions, 'endAll'>;
  cache: Pick<TokenCache, 'revoke'>;
  connections: Pick<Connections, 'revoke'>;
  registry: ConnectorRegistry;
  certificates: Pick<CertificateConnections, 'forget'>;
  announce: (organizationId: OrganizationId) => Promise<void>;
  limiter: RateLimiter;
  log: Logger;
}): Router {
  const { sessions, cache, connections, registry, certificates, announce, limiter, log } = deps;
  const kept = {
    async revoke(revoked: RevokedTokens, reason: string): Promise<void> {
      const isConnector = revoked.connectorId !== undefined;
      // A planned change of a secret must not fail any call (docs/adr/0030), nor end any user's consent: consent is
      // given to a client, whatever secret it authenticates with (docs/adr/0026). After a leak, an administrator also
      // calls `revoke-tokens`.
      const isNewSecret = isConnector && reason === REVOCATION_REASON.newSecret;
      if (!isConnector) await sessions.endAll(revoked);
      await Promise.all([cache.revoke(revoked), ...(isNewSecret ? [] : [connections.revoke(revoked)])]);
      // Running requests use tokens that are no longer permitted.
      if (isConnector) await sessions.endAll(revoked, isNewSecret ? { graceMs: ROTATION_GRACE_MS } : {});
    },
  };
  const revoke = createRevoke({ kept, registry, certificates, announce, log });
  return Router().use(
    authenticateWorkload({ verify: deps.verifyWorkload }),
    revocationRoutes({ revoke, limiter }),
  );
}
