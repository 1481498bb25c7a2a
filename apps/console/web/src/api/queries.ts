import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, hub, management } from './client.ts';
import type { QueryValue } from './create-api.ts';
import type {
  Agent,
  AgentConnector,
  AgentSummary,
  Connector,
  ListedAgentConnector,
  PageOf,
  Site,
  SiteAgent,
  SiteOrigin,
  Tool,
} from './types.ts';

/** Number of rows on a page of a table. */
export const PAGE_SIZE = 50;

export type ListQuery = Readonly<Record<string, QueryValue>>;

/** A page of a list of the management API; the previous rows stay until it is loaded. */
export const listOf = <T>(path: string, query: ListQuery = {}) =>
  queryOptions({
    queryKey: ['api', path, query],
    queryFn: ({ signal }) =>
      api.get<PageOf<T>>(management(path), { query: { limit: PAGE_SIZE, ...query }, signal }),
    placeholderData: keepPreviousData,
  });

/** One resource, with the `ETag` that is needed to change it. */
export const one = <T>(path: string) =>
  queryOptions({
    queryKey: ['api', path],
    queryFn: async ({ signal }) => {
      const { data, etag } = await api.send<T>(management(path), { signal });
      return { data, etag };
    },
  });

export const connectorsQuery = (query?: ListQuery) => listOf<Connector>('/connectors', query);
export const connectorQuery = (id: string) => one<Connector>(`/connectors/${id}`);
export const connectorAgentsQuery = (id: string, query?: ListQuery) =>
  listOf<ListedAgentConnector>(`/connectors/${id}/agents`, query);
export const agentsQuery = (query?: ListQuery) => listOf<AgentSummary>('/agents', query);
export const agentQuery = (id: string) => one<Agent>(`/agents/${id}`);
export const agentConnectorsQuery = (id: string, query?: ListQuery) =>
  listOf<ListedAgentConnector>(`/agents/${id}/connectors`, query);
export const agentConnectorQuery = (id: string, connectorId: string) =>
  one<AgentConnector>(`/agents/${id}/connectors/${connectorId}`);
export const agentSitesQuery = (id: string, query?: ListQuery) =>
  listOf<SiteAgent>(`/agents/${id}/sites`, query);
export const sitesQuery = (query?: ListQuery) => listOf<Site>('/sites', query);
export const siteQuery = (id: string) => one<Site>(`/sites/${id}`);
export const siteOriginsQuery = (id: string, query?: ListQuery) =>
  listOf<SiteOrigin>(`/sites/${id}/origins`, query);
export const siteAgentsQuery = (id: string, query?: ListQuery) =>
  listOf<SiteAgent>(`/sites/${id}/agents`, query);

/** The tools of a connector, as its tool server lists them to the reader; kept for a minute. */
export const toolsQuery = (connectorId: string) =>
  queryOptions({
    queryKey: ['hub', '/tools', connectorId],
    queryFn: async ({ signal }) =>
      (await api.get<{ tools: readonly Tool[] }>(hub(`/connectors/${connectorId}/tools`), { signal })).tools,
    staleTime: 60_000,
  });
