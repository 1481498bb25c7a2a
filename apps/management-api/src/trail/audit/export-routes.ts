import { Readable } from 'node:stream';
import type { OrganizationId } from '@legate/ids';
import { createSlots, RateLimitExceeded, rateLimitHeaders } from '@legate/rate-limit';
import type { RequestHandler } from 'express';
import { organizationOf } from '../../callers/admission/admission.ts';
import { holdSlot } from '../../callers/limits/enter-in-turn.ts';
import type { PlanCount } from '../../callers/limits/plan-count.ts';
import type { NewAuditEvent } from '../../domain/audit-event.ts';
import { problem } from '../../domain/problem-codes.ts';
import { ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import type { ExportTrail, TrailExport } from './export.ts';
import { EXPORT_TYPES, ExportAuditEvents } from './export-query.ts';
import { givenFilters } from './trail.ts';
import { readerOf } from './visible.ts';

/** Number of requests that an export counts as, including its own */
const COUNTS_AS = 10;

export function exportOperation(deps: {
  exportTrail: ExportTrail;
  plan: Pick<PlanCount, 'count'>;
}): Operation {
  return operation('exportAuditEvents', 'get', '/audit-events/export', {
    tag: 'Audit',
    summary: 'Export audit events',
    description:
      'Exports at most 31 days and a million events, oldest first. Counts as ten requests; an organization can run one export at a time. The last line of `ndjson` is `{"end":true,"count":…,"resume":…}`: if it is missing, the export was cut short. `resume` is the `cursor` for the remaining events, or null. Cells of `csv` that begin with `=`, `+`, `-`, `@`, a tab or a carriage return have a `\'` before them.',
    access: 'audit:export',
    whileSuspended: 'owner',
    query: ExportAuditEvents,
    responses: {
      200: {
        description: 'The events',
        streams: [EXPORT_TYPES.ndjson, EXPORT_TYPES.csv],
        headers: ['Legate-From', 'Content-Disposition'],
      },
    },
    problems: { 400: ['cursor_invalid', 'not_permitted'] },
    guards: [oneAtATime(), countFurther(deps.plan)],
    async handle({ organizationId, caller, role, query, req, res, makeChange }) {
      const reader = readerOf({ caller, role });
      const { range, text } = deps.exportTrail(organizationId, reader, query);
      // Reads the first page before the response begins, so that an outage gets an error status.
      const first = await text.next();
      if (req.method !== 'HEAD')
        await makeChange((change) => change.record(eventOf(organizationId, query, range)));
      res.type(EXPORT_TYPES[query.format]);
      const body = Readable.from(beginningWith(first, text), { objectMode: false });
      return {
        ...ok(body),
        headers: {
          'Legate-From': range.from.toISOString(),
          'Content-Disposition': `attachment; filename="audit-events.${query.format}"`,
        },
      };
    },
  });
}

/** Allows one export at a time per organization, because an export uses database and memory for minutes. */
function oneAtATime(): RequestHandler {
  const slots = createSlots();
  return (_req, res, next) => {
    if (!holdSlot(res, slots, { key: organizationOf(res).id, max: 1 })) {
      throw problem('concurrency_exceeded', {
        detail: 'The organization already has a running export.',
        headers: { 'Retry-After': '10' },
      });
    }
    next();
  };
}

/** @throws {RateLimitExceeded} */
function countFurther(plan: Pick<PlanCount, 'count'>): RequestHandler {
  return async (_req, res, next) => {
    let { policy, usage } = await plan.count(res);
    for (let counted = 2; counted < COUNTS_AS; counted++) ({ policy, usage } = await plan.count(res));
    res.set(rateLimitHeaders(policy, usage));
    if (usage.exceeded) throw new RateLimitExceeded(usage.resetAfterSeconds, policy, usage.scope);
    next();
  };
}

async function* beginningWith(first: IteratorResult<string, void>, rest: AsyncGenerator<string, void>) {
  if (first.value) yield first.value;
  yield* rest;
}

/** The audit event contains the searched texts, which show what the reader looked for. */
const eventOf = (
  organizationId: OrganizationId,
  query: ExportAuditEvents,
  { from, to }: TrailExport['range'],
): NewAuditEvent => ({
  action: 'audit.exported',
  targets: [{ type: 'organization', id: organizationId, name: null }],
  details: {
    ...Object.fromEntries(Object.entries(givenFilters(query)).map(([name, value]) => [name, String(value)])),
    format: query.format,
    from: from.toISOString(),
    to: to.toISOString(),
  },
});
