import { type AgentId, ConnectorId, isId } from '@legate/ids';
import { validationFailed } from '@legate/service';
import type { Request } from 'express';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import type { ConnectorSet } from '../domain/connector-set.ts';
import type { ConnectorRegistry } from '../domain/registry.ts';
import {
  agentRefused,
  clientDenied,
  connectorNotFound,
  membershipRevoked,
} from '../refusals/connector-problems.ts';
import { misconfigured } from '../refusals/delegation-problems.ts';

/** Names the agent that acts for the user. */
export const AGENT_HEADER = 'Legate-Agent-Id';

/**
 * Returns what the caller may use: with an agent its bindings, otherwise all of the organization.
 * @throws {Problem} 403 `membership_revoked`, `consent_denied`, `agent_unknown`, `agent_inactive`, `agent_required`; and what the
 * registry throws
 */
export type ConnectorAccess = (
  caller: Pick<Caller, 'organizationId' | 'userId' | 'origin'> & {
    readonly authentication?: Pick<Caller['authentication'], 'client'> | undefined;
  },
  agentId: AgentId | undefined,
) => Promise<ConnectorSet>;

/**
 * @param deps.requireAgent refuses callers that name no agent. The name is not verified: it keeps an honest application's
 * agents apart, and gives no caller more than the organization has.
 */
export function createConnectorAccess(deps: {
  registry: ConnectorRegistry;
  requireAgent: boolean;
}): ConnectorAccess {
  return async ({ organizationId, userId, origin, authentication }, agentId) => {
    if (agentId === undefined && deps.requireAgent)
      throw agentRefused({ leg: 'caller', rule: 'agent_required' }, `Name the agent in ${AGENT_HEADER}.`);
    const organization = await deps.registry.of(organizationId, origin?.request);
    if (organization.removedUsers.has(userId)) throw membershipRevoked();
    if (authentication && organization.deniedClients.get(userId)?.has(authentication.client))
      throw clientDenied();
    if (agentId === undefined) return organization;
    const agent = organization.agents.get(agentId);
    if (!agent)
      throw agentRefused({ leg: 'registry', rule: 'agent_unknown' }, 'Your organization has no such agent.');
    if (!agent.isActive)
      throw agentRefused({ leg: 'registry', rule: 'agent_inactive' }, 'The agent is a draft, or disabled.');
    return agent;
  };
}

/**
 * Returns what admits a user to their organization, before any tool is called.
 * @throws {Problem} 403 `membership_revoked`; and what the registry throws
 */
export const createAdmitUser =
  (registry: ConnectorRegistry) =>
  async ({ organizationId, userId }: Pick<Caller, 'organizationId' | 'userId'>): Promise<void> => {
    if ((await registry.of(organizationId)).removedUsers.has(userId)) throw membershipRevoked();
  };

/** @throws {Problem} 400 for what is no id */
export function readAgentId(req: Pick<Request, 'get'>): AgentId | undefined {
  const agentId = req.get(AGENT_HEADER);
  if (agentId === undefined || isId<AgentId>(agentId)) return agentId;
  throw validationFailed([
    { header: AGENT_HEADER, code: 'invalid_format', detail: 'Must be the id of an agent.' },
  ]);
}

/**
 * A connector of another organization, or one that is not bound to the agent, does not exist.
 * @throws {Problem} 404 `connector_not_found`, 502 `connector_misconfigured`
 */
export function requireConnector(own: ConnectorSet, connectorId: string): Connector {
  const { connectors, faults, unbound } = own;
  const connector = connectors.get(connectorId);
  if (connector) return connector;
  const fault = faults.get(connectorId);
  if (fault !== undefined)
    throw misconfigured(
      fault,
      { id: ConnectorId.parse(connectorId) },
      { leg: 'registry', rule: 'connector_unusable', reason: fault },
    );
  throw connectorNotFound(unbound?.has(connectorId) === true);
}
