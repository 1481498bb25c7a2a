import { queryOptions } from '@tanstack/react-query';
import { api, management } from '../../api/client.ts';
import { type ListQuery, listOf, one } from '../../api/queries.ts';
import type { ApiKey, Organization, RateLimit, ServiceAccount } from '../../api/types.ts';

export const organizationQuery = one<Organization>('/organization');
export const accountsQuery = (query: ListQuery) => listOf<ServiceAccount>('/service-accounts', query);
export const accountQuery = (id: string) => one<ServiceAccount>(`/service-accounts/${id}`);
export const keysQuery = (id: string, query: ListQuery) =>
  listOf<ApiKey>(`/service-accounts/${id}/keys`, query);

/** The number of requests left in this minute; reading it does not count as a request. */
export const rateLimitQuery = queryOptions({
  queryKey: ['api', '/rate-limit'],
  queryFn: ({ signal }) => api.get<RateLimit>(management('/rate-limit'), { signal }),
  staleTime: 0,
});
