import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, hub, management } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { AuditEvent, PageOf, Rule } from '../../api/types.ts';
import { type AuditSearch, queryOf } from './search.ts';

export const PAGE_SIZE = 50;
/** Maximum number of events per request of a live list */
const FRESH_AT_MOST = 100;

/** Pauses before each further request for an event that is not recorded yet */
const RETRIES_MS = [500, 1000, 2000, 3000];

export const isNotRecorded = (problem: unknown): boolean =>
  problem instanceof ApiProblem && problem.status === 404;

export const eventsQuery = ({ event: _, ...search }: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', 'page', search],
    queryFn: ({ signal }) =>
      api.get<PageOf<AuditEvent>>(management('/audit-events'), {
        query: { ...queryOf(search, new Date()), limit: PAGE_SIZE, offset: search.offset ?? 0 },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** Returns the events that were recorded after an event, oldest first. */
export const fetchFresh = (search: AuditSearch, after: string, signal: AbortSignal) =>
  api.get<PageOf<AuditEvent>>(management('/audit-events'), {
    query: { ...queryOf(search, new Date()), from: undefined, after, limit: FRESH_AT_MOST },
    signal,
  });

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ['audit', 'event', id],
    queryFn: ({ signal }) =>
      api.get<AuditEvent>(management(`/audit-events/${encodeURIComponent(id)}`), { signal }),
    staleTime: Number.POSITIVE_INFINITY, // an event never changes
    // The hub sends its audit events after its responses.
    retry: (failures, problem) => failures < RETRIES_MS.length && isNotRecorded(problem),
    retryDelay: (failures) => RETRIES_MS[failures] ?? 0,
  });

/** The hub's descriptions of its rules, which change only with its version. */
export const rulesQuery = queryOptions({
  queryKey: ['audit', 'rules'],
  queryFn: async ({ signal }) =>
    (await api.get<{ readonly rules: readonly Rule[] }>(hub('/rules'), { signal })).rules,
  staleTime: 3_600_000,
});

/** URL of the export as a table. */
export function exportAddress(search: AuditSearch): string {
  const parameters = Object.entries({ format: 'csv', ...queryOf(search, new Date()) }).flatMap(
    ([name, value]) => (value === undefined ? [] : [[name, value]]),
  );
  return `${management('/audit-events/export')}?${new URLSearchParams(parameters)}`;
}
