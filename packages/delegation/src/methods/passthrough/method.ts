import type { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { isSameResource } from '@legate/oauth';
import type { DelegationMethod } from '../../domain/delegation.ts';
import { passthrough } from './facts.ts';
import type { PassthroughSettings } from './settings.ts';

/** Reports that a user's own token is passed on. The report contains nothing of the token itself. */
export interface TokenForwarded {
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
  readonly connectorId: ConnectorId;
  /** Origin of the tool server */
  readonly to: string;
}

export interface PassthroughDependencies {
  /** Called before the token is sent */
  onForwarded: (event: TokenForwarded) => void;
}

/**
 * Legacy: forwards the caller's own ID token unchanged. Any recipient can use it wherever else it is accepted,
 * which is why MCP forbids this. So an administrator must have acknowledged the risk, the token goes only to a server
 * that is its audience or is configured to accept its audience, it is never stored, and each use is reported. Its
 * validity was checked when the call arrived.
 */
export function createPassthroughMethod(
  deps: PassthroughDependencies,
): DelegationMethod<PassthroughSettings> {
  return async (caller, connector, { acceptedAudiences }) => {
    const isMeantFor = (audience: string): boolean =>
      isSameResource({ presented: audience, configured: connector.resource }) ||
      acceptedAudiences.includes(audience);
    const { origin } = new URL(connector.mcpUrl);
    if (origin !== new URL(connector.resource).origin)
      return {
        outcome: 'misconfigured',
        by: 'tool_server',
        reason: 'the token is not sent to an origin other than that of the resource',
      };
    if (!caller.audiences.some(isMeantFor))
      return { outcome: 'denied', by: 'audience', scopes: [], reason: 'the token is for another audience' };
    const { organizationId, userId } = caller;
    deps.onForwarded({ organizationId, userId, connectorId: connector.id, to: origin });
    return {
      outcome: 'granted',
      credential: {
        kind: 'access_token',
        method: passthrough.name,
        accessToken: caller.subjectToken,
        id: caller.subjectTokenId,
        expiresAt: undefined,
        scopes: [],
      },
    };
  };
}
