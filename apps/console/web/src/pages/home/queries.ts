import { queryOptions } from '@tanstack/react-query';
import { api, management } from '../../api/client.ts';
import type { CallCount, Overview, PageOf } from '../../api/types.ts';

export const overviewQuery = queryOptions({
  queryKey: ['api', '/overview'],
  queryFn: ({ signal }) => api.get<Overview>(management('/overview'), { signal }),
});

/** The last 30 days, which is also the management API's default range */
export const callsQuery = (by: 'day' | 'rule') =>
  queryOptions({
    queryKey: ['api', '/usage/calls', by],
    queryFn: ({ signal }) =>
      api.get<PageOf<CallCount>>(management('/usage/calls'), {
        query: { by, limit: 100 }, // more than there are days, and rules
        signal,
      }),
  });

type Health = Readonly<Record<'management_api' | 'tool_hub' | 'identity_provider', 'ok' | 'unavailable'>>;

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => api.get<Health>('/bff/health', { signal }),
});
