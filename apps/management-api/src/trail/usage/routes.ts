import { pageOf } from '@legate/pagination';
import { ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import type { Platform } from '../../platform/platform.ts';
import { CallCount, type CallReport, createCallReport, ListCalls } from './calls.ts';
import { createUsageReport, type UsageReport } from './service.ts';
import { createUsageStore } from './store.ts';
import { ListUsage, Usage } from './usage.ts';

export const openUsage = ({ reader, clock }: Platform): { readonly operations: Operation[] } => ({
  operations: [
    callsOperation(createCallReport({ tenants: reader, clock })),
    usageOperation(createUsageReport({ store: createUsageStore(reader), clock })),
  ],
});

const usageOperation = (report: UsageReport): Operation =>
  operation('listUsage', 'get', '/usage', {
    tag: 'Usage',
    summary: 'List usage by day',
    description:
      'One item for each day in UTC from `from` to the day before `to`, oldest first, at most 90, including days without requests. Default: the last 30 days, including today. Counts the requests that count against the rate limit, with a delay of seconds. `embed_sessions` is 0 until sites can be embedded.',
    access: 'usage:read',
    whileSuspended: 'owner',
    query: ListUsage,
    responses: { 200: { description: 'A page of days', schema: pageOf(Usage) } },
    handle: async ({ organizationId, query }) => ok(await report.list(organizationId, query)),
  });

const callsOperation = (report: CallReport): Operation =>
  operation('listCalls', 'get', '/usage/calls', {
    tag: 'Usage',
    summary: 'Count calls',
    description:
      'Counts calls of tools, prompts and resources, and delegations without a call, as the tool hub has reported them: by day, connector, agent or rule. A range has at most 90 days; default: the last 30, including today.',
    access: 'usage:read',
    whileSuspended: 'owner',
    query: ListCalls,
    responses: { 200: { description: 'A page of counts', schema: pageOf(CallCount) } },
    handle: async ({ organizationId, query }) => ok(await report.list(organizationId, query)),
  });
