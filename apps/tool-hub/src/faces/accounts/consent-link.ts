import { randomUUID } from 'node:crypto';
import {
  allowsScopes,
  type Connections,
  type ConsentClientOf,
  connectionOwnerOf,
  consentRegistrationOf,
  consentSettingsOf,
  type DiscoverUserAuthorization,
  whereToConsent,
} from '@legate/delegation';
import type { AgentId } from '@legate/ids';
import { epochSeconds } from '@legate/jwt';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import { noConnections } from '../../refusals/connection-problems.ts';
import { delegationProblem } from '../../refusals/delegation-problems.ts';
import { OFFLINE_ACCESS, type PendingConsents, TICKET_SECONDS } from './pending-consents.ts';

export interface ConnectRequest {
  /** Scopes to ask for in addition to those of the connector */
  readonly scopes: readonly string[];
  /** One of the configured pages; undefined: our own page */
  readonly returnTo: string | undefined;
  /** The agent that asks the user, if it is not the application itself */
  readonly agentId: AgentId | undefined;
}

/** A link to which an application sends its user, and the time until which it may be opened */
export interface ConsentLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** @throws {Problem} */
export type CreateConsentLink = (
  caller: Caller,
  connector: Connector,
  request: ConnectRequest,
) => Promise<ConsentLink>;

/** Begins a consent: checks the request, and stores it under the secret of the link. */
export function createConsentLinks(deps: {
  connections: Connections;
  discover: DiscoverUserAuthorization;
  clientOf: ConsentClientOf;
  tickets: PendingConsents['tickets'];
  publicUrl: string;
  clock: () => Date;
}): CreateConsentLink {
  const { connections, discover, clientOf, tickets, publicUrl, clock } = deps;

  return async (caller, connector, { scopes, returnTo, agentId }) => {
    const settings = consentSettingsOf(connector);
    if (!settings) throw noConnections(connector);
    const client = clientOf(connector, settings);
    const isBound = connector.binding?.scopesKey !== undefined;
    if (isBound && !scopes.every((scope) => connector.scopes.includes(scope)))
      throw delegationProblem(
        { outcome: 'denied', by: 'binding', scopes, reason: 'not bound to the agent' },
        connector,
      );
    // A connector without scopes lets its users choose them when they consent.
    const further = scopes.filter((scope) => scope !== OFFLINE_ACCESS);
    if (connector.scopes.length > 0 && !allowsScopes(connector, further))
      throw delegationProblem(
        { outcome: 'denied', by: 'connector', scopes, reason: 'beyond the scopes of the connector' },
        connector,
      );
    const discovery = await discover(whereToConsent(connector.resource, client));
    if (discovery.kind !== 'found') throw delegationProblem(asRefusal(discovery), connector);

    const { epochs } = await connections.find(connectionOwnerOf(caller, connector));
    const expiresAt = new Date(clock().getTime() + TICKET_SECONDS * 1000);
    const ticket = await tickets.issue({
      id: randomUUID(),
      organizationId: caller.organizationId,
      userId: caller.userId,
      client: caller.authentication.client,
      connectorId: connector.id,
      agentId,
      scopes: [...scopes],
      returnTo,
      registration: consentRegistrationOf(connector, client),
      epochs: [...epochs],
      openUntil: epochSeconds(expiresAt),
    });
    return { url: `${publicUrl}/oauth/connect/${connector.id}?ticket=${ticket}`, expiresAt };
  };
}

type NotFound = Exclude<Awaited<ReturnType<DiscoverUserAuthorization>>, { kind: 'found' }>;

const asRefusal = (discovery: NotFound) =>
  discovery.kind === 'unavailable'
    ? ({ outcome: 'unavailable', by: 'tool_server', ...discovery } as const)
    : ({ outcome: 'misconfigured', by: 'tool_server', reason: discovery.reason } as const);
