import { hash } from 'node:crypto';
import type { AgentId, ConnectorId } from '@legate/ids';
import { type AgentPolicy, type Approval, slugFrom } from '@legate/management-contract';
import type { Connector } from './connector.ts';

/** The connectors that all users of an organization, or one of its agents, may use. */
export interface ConnectorSet {
  /** Connectors by id, in configuration order */
  readonly connectors: ReadonlyMap<string, Connector>;
  /** Id of an unusable connector → the reason, in our own words */
  readonly faults: ReadonlyMap<string, string>;
  /** Connectors of the organization that the agent may not use; absent if the set does not belong to an agent */
  readonly unbound?: ReadonlySet<string>;
}

export interface AgentConnectors extends ConnectorSet {
  /** Display name of the agent; undefined: unknown */
  readonly name: string | undefined;
  /** True if the agent may make calls */
  readonly isActive: boolean;
}

export interface OrganizationConnectors extends ConnectorSet {
  /** Display name of the organization; undefined: unknown */
  readonly name?: string | undefined;
  readonly agents: ReadonlyMap<string, AgentConnectors>;
  readonly roles: MemberRoles;
  /** Users who are no longer members, even if their ID tokens claim membership */
  readonly removedUsers: ReadonlySet<string>;
  /** User → clients of the identity provider that the user does not allow to act for them */
  readonly deniedClients: ReadonlyMap<string, ReadonlySet<string>>;
  /** `client_id` of the hub's authorization server → the agent that this client is */
  readonly agentClients: ReadonlyMap<string, AgentId>;
  /** How agents must identify themselves for lists and calls */
  readonly agentPolicy: AgentPolicy;
  /** Undefined if unknown */
  readonly plan?: { readonly name: string; readonly requestsPerMinute: number } | undefined;
}

export interface MemberRoles {
  /** User → role. management-api learns the role of a missing user from their first token. */
  readonly byUser: ReadonlyMap<string, string>;
  /** True if the identity provider manages roles: a weaker role in an ID token then counts too. */
  readonly areManagedByIdp: boolean;
}

/** An agent's permission to use a connector; undefined members: no limits. */
export interface Binding {
  readonly connectorId: ConnectorId;
  readonly scopes: readonly string[] | undefined;
  readonly tools: readonly string[] | undefined;
  /** Calls that need the user's approval; undefined: not specified */
  readonly approval?: Approval | undefined;
}

export interface Agent {
  readonly id: AgentId;
  readonly name?: string | undefined;
  readonly isActive: boolean;
  readonly bindings: readonly Binding[];
}

export const NO_ROLES: MemberRoles = { byUser: new Map(), areManagedByIdp: false };

export const NO_CONNECTORS: OrganizationConnectors = {
  connectors: new Map(),
  faults: new Map(),
  agents: new Map(),
  roles: NO_ROLES,
  removedUsers: new Set(),
  deniedClients: new Map(),
  agentClients: new Map(),
  agentPolicy: 'any',
};

/** Narrows the connectors of each agent in advance, so that a call does not have to. */
export function organizationConnectors(
  configured: ReadonlyMap<string, Connector>,
  faults: ReadonlyMap<string, string>,
  agents: readonly Agent[],
  removedUsers: readonly string[] = [],
): OrganizationConnectors {
  const connectors = withSlugs(configured);
  return {
    connectors,
    faults,
    agents: new Map(agents.map((agent) => [agent.id, agentConnectors(agent, { connectors, faults })])),
    roles: NO_ROLES,
    removedUsers: new Set(removedUsers),
    deniedClients: new Map(),
    agentClients: new Map(),
    agentPolicy: 'any',
  };
}

/**
 * Gives each connector without a slug one derived from its id. Connectors are sorted by id, so that the result does not
 * depend on their order.
 */
function withSlugs(connectors: ReadonlyMap<string, Connector>): ReadonlyMap<string, Connector> {
  const taken = new Set([...connectors.values()].flatMap(({ slug }) => slug ?? []));
  const made = new Map<string, string>();
  for (const id of [...connectors.keys()].sort()) {
    if (connectors.get(id)?.slug !== undefined) continue;
    const slug = slugFrom(id, (other) => taken.has(other));
    taken.add(slug);
    made.set(id, slug);
  }
  if (made.size === 0) return connectors;
  return new Map(
    [...connectors].map(([id, connector]) => [id, { ...connector, slug: made.get(id) ?? connector.slug }]),
  );
}

function agentConnectors({ name, isActive, bindings }: Agent, own: ConnectorSet): AgentConnectors {
  const connectors = new Map<string, Connector>();
  const faults = new Map<string, string>();
  for (const binding of bindings) {
    const { connectorId } = binding;
    const connector = own.connectors.get(connectorId);
    const narrowed = connector && narrow(connector, binding);
    const fault =
      own.faults.get(connectorId) ?? (connector && !narrowed && 'the agent has none of its scopes');
    if (narrowed) connectors.set(connectorId, narrowed);
    else if (fault) faults.set(connectorId, fault);
  }
  const bound = new Set<string>(bindings.map(({ connectorId }) => connectorId));
  const unbound = new Set([...own.connectors.keys()].filter((id) => !bound.has(id)));
  return { name, isActive, connectors, faults, unbound };
}

/** @returns undefined if no scope is left: a token request without scopes would request all of them */
function narrow(connector: Connector, { scopes: bound, tools, approval }: Binding): Connector | undefined {
  const scopes = bound ? connector.scopes.filter((scope) => bound.includes(scope)) : connector.scopes;
  if (bound && scopes.length === 0) return undefined;
  return {
    ...connector,
    scopes,
    stepUpScopes: bound ? [] : connector.stepUpScopes,
    binding: {
      tools: tools && new Set(tools),
      // Agents with the same scopes share a token; one with fewer never gets the user's broader one.
      scopesKey: bound && hash('sha256', [...scopes].sort().join(' '), 'base64url').slice(0, 22),
      approval,
    },
  };
}
