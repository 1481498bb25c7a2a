import type { CertificateConnections, RevokedTokens } from '@legate/delegation';
import type { OrganizationId } from '@legate/ids';
import { REVOCATION_REASON, type RevocationRequest } from '@legate/management-contract';
import type { Logger } from '@legate/service';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import { problem } from '../../refusals/problem-codes.ts';

/**
 * Revokes tokens in all processes at once, and invalidates the list of connectors here at once and in the others as
 * soon as they are notified, at the latest after 30 seconds.
 * @param workloadId the requesting service, for the log
 * @throws {Problem} 503 `token_store_unavailable`: nothing is guaranteed, and the caller must retry
 */
export type Revoke = (revocation: RevocationRequest, workloadId: string) => Promise<void>;

/** @param deps.announce tells the other processes to invalidate the organization's connectors; best effort */
export function createRevoke(deps: {
  kept: { revoke(revoked: RevokedTokens, reason: string): Promise<void> };
  registry: ConnectorRegistry;
  certificates: Pick<CertificateConnections, 'forget'>;
  announce: (organizationId: OrganizationId) => Promise<void>;
  log: Logger;
}): Revoke {
  const { kept, registry, certificates, announce, log } = deps;
  return async (revocation, workloadId) => {
    const { organization_id, connector_id, user_id, agent_id, reason } = revocation;
    const endsTokens = agent_id === undefined && reason !== REVOCATION_REASON.fallbackApproved;
    // First: a caller who no longer finds a token must find the new connectors.
    registry.forget(organization_id);
    if (endsTokens && user_id === undefined) certificates.forget(organization_id, connector_id);
    await announce(organization_id).catch((err: unknown) => log.warn({ err }, 'revocation: not announced'));
    if (endsTokens) {
      await kept.revoke(revokedBy(revocation), reason).catch((cause: unknown) => {
        throw problem('token_store_unavailable', {
          detail: 'The tokens could not be revoked. Try again.',
          headers: { 'Retry-After': '5' },
          cause,
        });
      });
    }
    log.info(
      {
        organization_id,
        connector_id,
        user_id,
        agent_id,
        reason,
        by: workloadId,
      },
      'revoked',
    );
  };
}

function revokedBy({
  organization_id: organizationId,
  connector_id,
  user_id,
}: RevocationRequest): RevokedTokens {
  if (connector_id !== undefined) return { organizationId, connectorId: connector_id };
  return user_id === undefined ? { organizationId } : { organizationId, userId: user_id };
}
