import { isId } from '@legate/ids';
import { type Problem, validationFailed } from '@legate/service';
import type { Request } from 'express';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import type { ConnectorSet } from '../domain/connector-set.ts';
import type { Decided } from '../domain/decision.ts';
import type { ConnectorRegistry } from '../domain/registry.ts';
import { CallRefused } from '../refusals/call-refused.ts';
import { misconfigured } from '../refusals/delegation-problems.ts';

/** Names the agent that acts for the user. */
export const AGENT_HEADER = 'Legate-Agent-Id';

/**
 * What the caller may use: with an agent what is bound to it, else all of the organization.
 * @throws {Problem} 403 `membership_revoked`, `agent_unknown`, `agent_inactive`, `agent_required`; and what the registry
 * throws
 */
export type ConnectorAccess = (
  caller: Pick<Caller, 'organizationId' | 'userId' | 'origin'>,
  agentId: string | undefined,
) => Promise<ConnectorSet>;

/**
 * @param deps.requireAgent refuses callers that name no agent. The name is not verified: it keeps an honest application's
 * agents apart, and gives no caller more than the organization has.
 */
export function createConnectorAccess(deps: {
  registry: ConnectorRegistry;
  requireAgent: boolean;
}): ConnectorAccess {
  return async ({ organizationId, userId, origin }, agentId) => {
    if (agentId === undefined && deps.requireAgent)
      throw forbidden({ leg: 'caller', rule: 'agent_required' }, `Name the agent in ${AGENT_HEADER}.`);
    const organization = await deps.registry.of(organizationId, origin?.request);
    if (organization.removedUsers.has(userId)) {
      throw new CallRefused(MEMBERSHIP_REVOKED, 403, 'membership_revoked', 'Membership revoked', {
        detail: 'You are no longer a member of this organization.',
      });
    }
    if (agentId === undefined) return organization;
    const agent = organization.agents.get(agentId);
    if (!agent)
      throw forbidden({ leg: 'registry', rule: 'agent_unknown' }, 'Your organization has no such agent.');
    if (!agent.isActive)
      throw forbidden({ leg: 'registry', rule: 'agent_inactive' }, 'The agent is a draft, or disabled.');
    return agent;
  };
}

/** @throws {Problem} 400 for what is no id */
export function readAgentId(req: Pick<Request, 'get'>): string | undefined {
  const agentId = req.get(AGENT_HEADER);
  if (agentId === undefined || isId(agentId)) return agentId;
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
      { id: connectorId },
      { leg: 'registry', rule: 'connector_unusable', reason: fault },
    );
  const decided: Decided = unbound?.has(connectorId)
    ? { leg: 'binding', rule: 'connector_not_bound' }
    : { leg: 'registry', rule: 'connector_unknown' };
  throw new CallRefused(decided, 404, 'connector_not_found', 'Connector not found', {
    detail: 'Your organization has no such connector, or the agent may not use it.',
  });
}

const MEMBERSHIP_REVOKED: Decided = { leg: 'registry', rule: 'membership_revoked' };

/** The rule is the code of the answer as well. */
const forbidden = (
  decided: Decided & { rule: 'agent_required' | 'agent_unknown' | 'agent_inactive' },
  detail: string,
): Problem => new CallRefused(decided, 403, decided.rule, 'Agent refused', { detail });
