import type { RateLimiter } from '@legate/rate-limit';
import type { Logger } from '@legate/service';
import type { VerifyWorkload } from '@legate/workload';
import { authenticateWorkload } from '@legate/workload/express';
import { Router } from 'express';
import type { ConnectorRegistry } from '../connectors/registry.ts';
import type { CertificateConnections } from '../delegation/certificate-connections.ts';
import type { RevokedTokens, TokenCache } from '../delegation/token-cache.ts';
import type { OAuthConnect } from '../oauth-connect/feature.ts';
import type { Sessions } from '../sessions/service.ts';
import { revocationRoutes } from './routes.ts';
import { createRevoke } from './service.ts';

/**
 * A secret that is changed by plan must cost no call (docs/adr/0030), nor any user his consent: that was given to a client,
 * whatever it shows to be taken for itself (docs/adr/0026). One that has leaked is followed by `revoke-tokens`.
 */
const NEW_SECRET = 'connector.secret_set';
/** For calls that run when the secret of their connector changes: longer than nearly all of them */
const ROTATION_GRACE_MS = 30_000;

/** `/internal/v1`, for services: what is kept in sessions, cache and connections ends together. */
export function createRevocations(deps: {
  verifyWorkload: VerifyWorkload;
  sessions: Pick<Sessions, 'endAll'>;
  cache: Pick<TokenCache, 'revoke'>;
  oauthConnect: Pick<OAuthConnect, 'revoke'>;
  registry: ConnectorRegistry;
  connections: Pick<CertificateConnections, 'forget'>;
  announce: (organizationId: string) => Promise<void>;
  limiter: RateLimiter;
  log: Logger;
}): Router {
  const { sessions, cache, oauthConnect, limiter } = deps;
  const kept = {
    async revoke(revoked: RevokedTokens, reason: string): Promise<void> {
      const isConnector = revoked.connectorId !== undefined;
      const isNewSecret = isConnector && reason === NEW_SECRET;
      if (!isConnector) await sessions.endAll(revoked);
      await Promise.all([cache.revoke(revoked), ...(isNewSecret ? [] : [oauthConnect.revoke(revoked)])]);
      // What runs there was begun with tokens that nobody may use any more.
      if (isConnector) await sessions.endAll(revoked, isNewSecret ? { graceMs: ROTATION_GRACE_MS } : {});
    },
  };
  const revoke = createRevoke({ ...deps, kept });
  return Router().use(
    authenticateWorkload({ verify: deps.verifyWorkload }),
    revocationRoutes({ revoke, limiter }),
  );
}
