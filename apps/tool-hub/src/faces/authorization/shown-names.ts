import type { ConnectorRegistry } from '../../domain/registry.ts';
import type { ConsentRequest } from './consents.ts';

/** What the people of an organization call the things that a page is about; undefined: their ids are shown */
export interface ShownNames {
  readonly organization: string | undefined;
  readonly agent: string | undefined;
  /** The connector that the client asks for; undefined too where the user, or the agent, has no such connector */
  readonly connector: string | undefined;
}

export type FindNames = (
  request: Pick<ConsentRequest, 'user' | 'agentId' | 'resource'>,
) => Promise<ShownNames>;

/** @param mcpResource the resource identifier of `/mcp`, below which those of the connectors are */
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
