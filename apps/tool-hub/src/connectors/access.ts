import { type AgentId, ConnectorId, isId } from '@legate/ids';
import { AGENT_CLIENT_PREFIX, type AgentPolicy } from '@legate/management-contract';
import { validationFailed } from '@legate/service';
import type { Request } from 'express';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import type { AgentConnectors, ConnectorSet, OrganizationConnectors } from '../domain/connector-set.ts';
import type { ConnectorRegistry } from '../domain/registry.ts';
import {
  agentRefused,
  clientDenied,
  connectorNotFound,
  membershipRevoked,
} from '../refusals/connector-problems.ts';
import { misconfigured } from '../refusals/delegation-problems.ts';
import { sessionEnded } from '../refusals/sign-in-problems.ts';

/** Header that names the agent that acts for the user. */
export const AGENT_HEADER = 'Legate-Agent-Id';

/**
 * Returns the connectors that the caller may use: those bound to the agent, or without an agent all of the
 * organization.
 * @throws {Problem} 401 `session_ended` for a client that has become another agent; 403 `membership_revoked`,
 * `consent_denied`, `agent_unknown`, `agent_inactive`, `agent_required`, `agent_unauthenticated`; and the errors of the
 * registry
 */
export type ConnectorAccess = (
  caller: Pick<Caller, 'organizationId' | 'userId' | 'agentId' | 'mcpClient'> & {
    readonly authentication?: Pick<Caller['authentication'], 'client'> | undefined;
  },
  agentId: AgentId | undefined,
) => Promise<ConnectorSet>;

/**
 * @param deps.agents whether a request must name or prove an agent: `by_policy` of the organization, `required` at
 * least by name whatever the policy, `optional` for operations of the user
 */
export function createConnectorAccess(deps: {
  registry: ConnectorRegistry;
  agents: 'optional' | 'by_policy' | 'required';
}): ConnectorAccess {
  return async (caller, named) => {
    const { organizationId, userId, authentication, mcpClient } = caller;
    const organization = await deps.registry.of(organizationId);
    if (organization.removedUsers.has(userId)) throw membershipRevoked();
    if (authentication && organization.deniedClients.get(userId)?.has(authentication.client))
      throw clientDenied();
    if (isAnotherAgent(organization, { client: mcpClient, agentId: caller.agentId })) throw sessionEnded();
    if (deps.agents !== 'optional') {
      const { agentPolicy } = organization;
      const policy = deps.agents === 'required' && agentPolicy === 'any' ? 'named' : agentPolicy;
      requireAgent(policy, { isNamed: named !== undefined, isProven: caller.agentId !== undefined });
    }
    const agentId = caller.agentId ?? named;
    if (agentId === undefined) return organization;
    return activeAgentOf(organization, agentId);
  };
}

/**
 * Returns true for a client that has become an agent, or another agent, since its user signed in through it. The
 * session then ends, because its user has not agreed to this agent.
 */
const isAnotherAgent = (
  { agentClients }: Pick<OrganizationConnectors, 'agentClients'>,
  { client, agentId }: { client: string | undefined; agentId: AgentId | undefined },
): boolean => {
  const bound = client === undefined ? undefined : agentClients.get(client);
  return bound !== undefined && bound !== agentId;
};

/** Returns true for a session that must end because its client now belongs to another agent. */
export type IsOfAnotherAgent = (
  session: Pick<Caller, 'organizationId' | 'agentId'> & {
    readonly grant?: { readonly clientId: string } | undefined;
  },
) => Promise<boolean>;

/**
 * Checks this without failing: an unavailable registry or a suspended organization is reported later, when the
 * connectors are needed.
 */
export const createIsOfAnotherAgent =
  (registry: Pick<ConnectorRegistry, 'of'>): IsOfAnotherAgent =>
  async ({ organizationId, agentId, grant }) => {
    if (!grant) return false;
    const organization = await registry.of(organizationId).catch(() => undefined);
    return organization !== undefined && isAnotherAgent(organization, { client: grant.clientId, agentId });
  };

function activeAgentOf(organization: OrganizationConnectors, agentId: AgentId): AgentConnectors {
  const agent = organization.agents.get(agentId);
  if (!agent)
    throw agentRefused(
      { leg: 'registry', rule: 'agent_unknown' },
      `Your organization has no agent "${agentId}". ` +
        `${AGENT_HEADER}, or agent_id of a new session, must be the id of one of its agents.`,
    );
  if (!agent.isActive)
    throw agentRefused({ leg: 'registry', rule: 'agent_inactive' }, 'The agent is a draft, or disabled.');
  return agent;
}

/**
 * Returns a function that finds the agent of an MCP client in its user's organization, if there is one.
 * @throws {Problem} 403 `agent_unknown`, `agent_inactive`, and `agent_unauthenticated` for a client without an agent if
 * only agents are admitted; and the errors of the registry
 */
export type AgentOfClient = (
  user: Pick<Caller, 'organizationId'>,
  client: { readonly clientId: string; readonly agentId?: AgentId | undefined },
) => Promise<AgentId | undefined>;

export const createAgentOfClient =
  (registry: ConnectorRegistry): AgentOfClient =>
  async ({ organizationId }, client) => {
    const isRegistered = client.clientId.startsWith(AGENT_CLIENT_PREFIX);
    let organization = await registry.of(organizationId);
    // The client may have just been registered: the cached organization may be older than the client.
    if (isRegistered && !organization.agentClients.has(client.clientId)) {
      registry.recheckOne(organizationId);
      organization = await registry.of(organizationId);
    }
    const bound = organization.agentClients.get(client.clientId);
    if (bound === undefined && isRegistered)
      throw agentRefused(
        { leg: 'registry', rule: 'agent_unknown' },
        'The client was removed from its agent.',
      );
    // The organization's data are newer, and its sessions are compared with them.
    const agentId = bound ?? client.agentId;
    if (agentId !== undefined) activeAgentOf(organization, agentId);
    else if (organization.agentPolicy === 'authenticated') throw unauthenticated();
    return agentId;
  };

/**
 * Checks an agent that the caller only names, unverified. The name separates the agents of an honest application, and
 * gives no caller more rights than the organization has.
 */
function requireAgent(policy: AgentPolicy, { isNamed, isProven }: { isNamed: boolean; isProven: boolean }) {
  if (policy === 'any' || isProven) return;
  if (!isNamed)
    throw agentRefused({ leg: 'caller', rule: 'agent_required' }, `Name the agent in ${AGENT_HEADER}.`);
  if (policy === 'authenticated') throw unauthenticated();
}

const otherAgent = () =>
  agentRefused(
    { leg: 'caller', rule: 'agent_mismatch' },
    `The session or client is bound to another agent than the one in ${AGENT_HEADER}.`,
  );

const unauthenticated = () =>
  agentRefused(
    { leg: 'caller', rule: 'agent_unauthenticated' },
    'Your organization accepts agents only through a session or client that is bound to them.',
  );

/**
 * Returns a check that a user is still a member of their organization, before any tool is called.
 * @throws {Problem} 403 `membership_revoked`; and the errors of the registry
 */
export const createMembershipCheck =
  (registry: ConnectorRegistry) =>
  async ({ organizationId, userId }: Pick<Caller, 'organizationId' | 'userId'>): Promise<void> => {
    if ((await registry.of(organizationId)).removedUsers.has(userId)) throw membershipRevoked();
  };

/**
 * Returns the agent that acts: that of the session, or otherwise the one that the request names.
 * @throws {Problem} 400 for an invalid id, 403 `agent_mismatch`
 */
export function readAgentId(req: Pick<Request, 'get'>, caller: Pick<Caller, 'agentId'>): AgentId | undefined {
  const agentId = req.get(AGENT_HEADER);
  if (caller.agentId !== undefined) {
    if (agentId === undefined || agentId === caller.agentId) return caller.agentId;
    throw otherAgent();
  }
  if (agentId === undefined || isId<AgentId>(agentId)) return agentId;
  throw validationFailed([
    { header: AGENT_HEADER, code: 'invalid_format', detail: 'Must be the id of an agent.' },
  ]);
}

/**
 * Returns the connector. A connector of another organization, or one that is not bound to the agent, is reported as
 * missing.
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
