import { hash } from 'node:crypto';
import type { AgentId, ConnectorId } from '@legate/ids';
import { type AgentPolicy, type Approval, slugFrom } from '@legate/management-contract';
import type { Connector } from './connector.ts';

/** The connectors that everyone in an organization, or one of its agents, may use. */
export interface ConnectorSet {
  /** Connectors by id, in configuration order */
  readonly connectors: ReadonlyMap<string, Connector>;
  /** Id of an unusable connector → the reason, in our own words */
  readonly faults: ReadonlyMap<string, string>;
  /** Connectors of the organization that the agent may not use; absent if this is no agent's set */
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
  /** Users who are no longer members, whatever their ID tokens say */
  readonly removedUsers: ReadonlySet<string>;
  /** User → clients of the identity provider that they have denied to act for them */
  readonly deniedClients: ReadonlyMap<string, ReadonlySet<string>>;
  /** `client_id` → the agent that this client of the hub's authorization server is */
  readonly agentClients: ReadonlyMap<string, AgentId>;
  /** What lists and calls demand of agents */
  readonly agentPolicy: AgentPolicy;
  /** Undefined if unknown */
  readonly plan?: { readonly name: string; readonly requestsPerMinute: number } | undefined;
}

export interface MemberRoles {
  /** User → role. management-api learns the role of anybody missing here from their first token. */
  readonly byUser: ReadonlyMap<string, string>;
  /** The identity provider manages roles: an ID token that names a weaker one counts too. */
  readonly areManagedByIdp: boolean;
}

/** An agent's permission to use a connector; undefined: without limits. */
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

/** Narrows each agent's connectors once, so that a call finds them ready. */
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

/** A connector without a slug gets one of its id; in the order of ids, so that it depends on nothing else. */
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

/** @returns undefined if no scope is left: a token request without scopes would ask for all */
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
