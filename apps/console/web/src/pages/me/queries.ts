import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, hub, management } from '../../api/client.ts';
import { type ListQuery, PAGE_SIZE } from '../../api/queries.ts';
import type { AllowedClient, AuditEvent, ConnectedAccount, HubSession, PageOf } from '../../api/types.ts';

/** `GET /bff/sessions`; the `id` is no credential */
export interface ConsoleSession {
  readonly id: string;
  readonly current: boolean;
  readonly device: string;
  readonly last_used_at: string;
  readonly expires_at: string;
}

/** More than anybody has; the page says how many there are, if there are more. */
const LIMIT = 100;
const ACTIONS_SHOWN = 10;

export const consoleSessionsQuery = queryOptions({
  queryKey: ['me', 'console-sessions'],
  queryFn: ({ signal }) => api.get<{ readonly data: readonly ConsoleSession[] }>('/bff/sessions', { signal }),
});

const ofHub = <T>(path: string, query: ListQuery = { limit: LIMIT }) =>
  queryOptions({
    queryKey: ['me', path, query],
    queryFn: ({ signal }) => api.get<PageOf<T>>(hub(path), { query, signal }),
    placeholderData: keepPreviousData,
  });
export const hubSessionsQuery = ofHub<HubSession>('/sessions');
export const accountsQuery = (offset: number) =>
  ofHub<ConnectedAccount>('/connections', { limit: PAGE_SIZE, offset });
export const clientsQuery = ofHub<AllowedClient>('/clients');

/** The newest events in the name of the reader, including those of agents and applications. */
export const myActionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['me', 'actions', userId],
    queryFn: ({ signal }) =>
      api.get<PageOf<AuditEvent>>(management('/audit-events'), {
        query: { actor_id: userId, limit: ACTIONS_SHOWN },
        signal,
      }),
  });
