import type { ConnectorRegistry } from '../../domain/registry.ts';
import type { ConsentRequest } from './consents.ts';

/** Names that an organization has given to the things on a page; undefined: the page shows their ids */
export interface ShownNames {
  readonly organization: string | undefined;
  readonly agent: string | undefined;
  /** The connector that the client requests; undefined too if the user, or the agent, has no such connector */
  readonly connector: string | undefined;
}

export type FindNames = (
  request: Pick<ConsentRequest, 'user' | 'agentId' | 'resource'>,
) => Promise<ShownNames>;

/** @param mcpResource resource identifier of `/mcp`; those of the connectors begin with it */
export const createFindNames =
  (registry: Pick<ConnectorRegistry, 'of'>, mcpResource: string): FindNames =>
  async ({ user, agentId, resource }) => {
    const organization = await registry.of(user.organizationId);
    const agent = agentId === undefined ? undefined : organization.agents.get(agentId);
    const { connectors } = agent ?? organization;
    return {
      organization: organization.name,
      agent: agent?.name,
      connector: connectors.get(resource.slice(mcpResource.length + 1))?.name,
    };
  };
