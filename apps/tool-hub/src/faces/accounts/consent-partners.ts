import {
  type AuthorizationClient,
  type ConsentClient,
  type ConsentClientOf,
  consentRegistrationOf,
  consentSettingsOf,
  createAuthorizationClient,
  type DiscoverUserAuthorization,
  type UserAuthorization,
  whereToConsent,
} from '@legate/delegation';
import { Problem } from '@legate/service';
import { type ConnectorAccess, requireConnector } from '../../connectors/access.ts';
import type { Connector } from '../../domain/connector.ts';
import { PageFault } from '../pages/page-fault.ts';
import type { Ticket } from './pending-consents.ts';

/** The parties of a consent. */
export interface ConsentPartners {
  readonly connector: Connector;
  readonly authorization: UserAuthorization;
  /** The hub's client at that authorization server */
  readonly client: AuthorizationClient;
}

/**
 * Finds the current participants, since much may have changed after the link was created.
 * @throws {PageFault}
 */
export type PartnersOf = (ticket: Ticket) => Promise<ConsentPartners>;

export function createPartnersOf(deps: {
  access: ConnectorAccess;
  discover: DiscoverUserAuthorization;
  clientOf: ConsentClientOf;
  fetch: typeof globalThis.fetch;
}): PartnersOf {
  return async (ticket) => {
    const { connector, registered } = await connectorOf(ticket);
    const discovery = await deps.discover(whereToConsent(connector.resource, registered));
    if (discovery.kind === 'unavailable') throw new PageFault('unavailable', discovery.reason);
    if (discovery.kind !== 'found') throw new PageFault('not_possible', discovery.reason);
    const { authorization } = discovery;
    const client = await createAuthorizationClient(authorization, registered, deps.fetch).catch(() => {
      throw new PageFault('not_possible', 'our private key cannot be used');
    });
    return { connector, authorization, client };
  };

  async function connectorOf(ticket: Ticket): Promise<{ connector: Connector; registered: ConsentClient }> {
    const own = await deps
      .access(callerOf(ticket), ticket.agentId)
      .then((set) => requireConnector(set, ticket.connectorId))
      .catch((cause: unknown) => {
        if (!(cause instanceof Problem)) throw cause;
        const code = cause.status === 503 ? 'unavailable' : 'no_longer_allowed';
        throw new PageFault(code, cause.code, { cause });
      });
    const settings = consentSettingsOf(own);
    const registered = settings && deps.clientOf(own, settings);
    if (!registered || consentRegistrationOf(own, registered) !== ticket.registration)
      throw new PageFault('no_longer_allowed', 'the connector was changed');
    return { connector: own, registered };
  }
}

/** The application that requested the link acts again when the link is followed. */
const callerOf = ({ organizationId, userId, client }: Ticket) => ({
  organizationId,
  userId,
  authentication: { client },
});
