import type { Operation } from '../../http/api/operation.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Agents } from '../agents/service.ts';
import type { Connectors } from '../connectors/service.ts';
import type { Sites } from '../sites/service.ts';
import { agentConnectorOperations } from './agent-connector-routes.ts';
import { createAgentConnectors } from './agent-connectors.ts';
import { siteAgentOperations } from './site-agent-routes.ts';
import { createSiteAgents } from './site-agents.ts';
import { createUsersOf, usersOfOperations } from './users-of.ts';

/**
 * Opens the operations for agents of sites and connectors of agents, and those that list the sites and agents
 * using something.
 */
export function openBindings(
  { tenants }: Platform,
  { sites, agents, connectors }: { sites: Sites; agents: Agents; connectors: Connectors },
): Readonly<Record<'ofSites' | 'ofAgents' | 'fromOtherEnd', Operation[]>> {
  return {
    ofSites: siteAgentOperations(createSiteAgents({ tenants, sites, agents })),
    ofAgents: agentConnectorOperations(createAgentConnectors({ tenants, agents, connectors })),
    fromOtherEnd: usersOfOperations(createUsersOf({ tenants, agents, connectors })),
  };
}
