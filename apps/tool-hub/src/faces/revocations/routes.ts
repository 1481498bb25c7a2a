import type { CertificateConnections, Connections, RevokedTokens, TokenCache } from '@legate/delegation';
import type { OrganizationId } from '@legate/ids';
import { epochSeconds } from '@legate/jwt';
import { CHANGES, REVOCATION_REASON, REVOCATIONS, RevocationRequest } from '@legate/management-contract';
import type { RateLimiter } from '@legate/rate-limit';
import { type Logger, methodNotAllowed, parseBody } from '@legate/service';
import type { VerifyWorkload } from '@legate/workload';
import { authenticateWorkload, requireWorkloadScope, workloadOf } from '@legate/workload/express';
import { Router } from 'express';
import { outage } from '../../domain/problem-codes.ts';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import { limitService } from '../../limits/per-minute.ts';
import { readJson } from '../../requests/read-json.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import { changeRoutes } from './changes.ts';

const MAX_BODY_BYTES = 4096;
/** Grace time for calls that run when the secret of their connector changes. Nearly all calls take less. */
const ROTATION_GRACE_MS = 30_000;

/**
 * `/internal/v1/revocations` and `/internal/v1/changes`, for services. A revocation ends sessions, cached tokens and
 * connections in all processes at once. The list of connectors is invalidated here at once, and in the other processes
 * as soon as they are notified, at the latest after 30 seconds.
 * @param deps.announce makes the other processes invalidate the organization's connectors; best effort
 */
export function createRevocations(deps: {
  verifyWorkload: VerifyWorkload;
  sessions: Pick<Sessions, 'endAll'>;
  cache: Pick<TokenCache, 'revoke'>;
  connections: Pick<Connections, 'revoke'>;
  registry: ConnectorRegistry;
  certificates: Pick<CertificateConnections, 'forget'>;
  announce: (organizationId: OrganizationId) => Promise<void>;
  /** Makes the other processes fetch an organization's connectors again, while they still use the known ones. */
  announceChange: (organizationId: OrganizationId) => Promise<void>;
  limiter: RateLimiter;
  clock: () => Date;
  log: Logger;
}): Router {
  const { sessions, cache, connections, registry, certificates, limiter, log } = deps;

  async function revokeKept(revoked: RevokedTokens, reason: string): Promise<void> {
    const isConnector = revoked.connectorId !== undefined;
    // A planned change of a secret must not fail any call, nor end any user's consent: consent is given to a client,
    // whatever secret it authenticates with (docs/adr/0026). After a leak, an administrator also calls
    // `revoke-tokens`.
    const isNewSecret = isConnector && reason === REVOCATION_REASON.newSecret;
    // The user may still be a member, and could otherwise continue with the ID token that must end. That one may have
    // been issued in this second.
    const isSignedOut = reason === REVOCATION_REASON.accessRevoked && revoked.userId !== undefined;
    const how = isSignedOut ? { signedOutAt: epochSeconds(deps.clock()) + 1 } : {};
    if (!isConnector) await sessions.endAll(revoked, how);
    await Promise.all([cache.revoke(revoked), ...(isNewSecret ? [] : [connections.revoke(revoked)])]);
    // Running requests use tokens that are no longer permitted.
    if (isConnector) await sessions.endAll(revoked, isNewSecret ? { graceMs: ROTATION_GRACE_MS } : {});
  }

  /**
   * @param by the requesting service, for the log
   * @throws {Problem} 503 `token_store_unavailable`: the revocation may be incomplete, and the caller must retry
   */
  async function revoke(revocation: RevocationRequest, by: string): Promise<void> {
    const { organization_id, connector_id, user_id, agent_id, reason } = revocation;
    const endsTokens = agent_id === undefined && reason !== REVOCATION_REASON.fallbackApproved;
    // Comes first: a caller who no longer finds a token must find the new connectors.
    registry.forget(organization_id);
    if (endsTokens && user_id === undefined) certificates.forget(organization_id, connector_id);
    await deps
      .announce(organization_id)
      .catch((err: unknown) => log.warn({ err }, 'revocation: not announced to other replicas'));
    if (agent_id !== undefined && AGENT_ENDED.has(reason))
      await sessions
        .endAll({ organizationId: organization_id, agentId: agent_id })
        .catch((cause: unknown) => {
          throw outage('token_store_unavailable', 'The sessions of the agent could not be ended.', cause);
        });
    if (endsTokens) {
      await revokeKept(revokedBy(revocation), reason).catch((cause: unknown) => {
        throw outage('token_store_unavailable', 'The tokens could not be revoked.', cause);
      });
    }
    log.info({ organization_id, connector_id, user_id, agent_id, reason, by }, 'revoked');
  }

  const router = Router().use(authenticateWorkload({ verify: deps.verifyWorkload }));
  router.use([REVOCATIONS.route, CHANGES.route], async (_req, res, next) => {
    await limitService(limiter, workloadOf(res).clientId);
    next();
  });
  router.post(
    REVOCATIONS.route,
    requireWorkloadScope(REVOCATIONS.scope),
    readJson({ maxBytes: MAX_BODY_BYTES }),
    async (req, res) => {
      await revoke(parseBody(RevocationRequest, req.body), workloadOf(res).clientId);
      // Affected sessions and tokens are not counted, because the hub does not search for them.
      res.set('Cache-Control', 'no-store').json({ revoked: true });
    },
  );
  router.all(REVOCATIONS.route, methodNotAllowed(['POST']));
  return router.use(changeRoutes({ registry, announce: deps.announceChange, log }));
}

/** Reasons that end an agent's sessions. An agent whose bindings have changed continues, with its new bindings. */
const AGENT_ENDED: ReadonlySet<string> = new Set([
  REVOCATION_REASON.agentDeleted,
  REVOCATION_REASON.agentStatus,
  REVOCATION_REASON.agentClientRemoved,
]);

function revokedBy(revocation: RevocationRequest): RevokedTokens {
  const { organization_id: organizationId, connector_id: connectorId, user_id: userId } = revocation;
  if (connectorId !== undefined) return { organizationId, connectorId };
  return userId === undefined ? { organizationId } : { organizationId, userId };
}
