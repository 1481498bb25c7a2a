import { pageOf } from '@legate/pagination';
import { notFound, validationFailed } from '@legate/service';
import type { Request } from 'express';
import { ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { AuditEvent } from './audit-event.ts';
import { ListAuditEvents } from './list-query.ts';
import type { AuditTrail } from './trail.ts';
import { readerOf } from './visible.ts';

export const auditOperations = (trail: AuditTrail): Operation[] => [
  operation('listAuditEvents', 'get', '/audit-events', {
    tag: 'Audit',
    summary: 'List audit events',
    description:
      'Newest first, unless sorted otherwise. Without `from`, lists the last 30 days. Owners and admins see all events; developers see those of sites, agents, connectors and domains, and their own; viewers see their own. The header `Link` has the URL of the next page, which new events do not shift, as they would with `offset`.',
    access: 'audit:read',
    whileSuspended: 'owner',
    query: ListAuditEvents,
    responses: {
      200: {
        description: 'A page of events',
        schema: pageOf(AuditEvent),
        headers: ['Link', 'Legate-From'],
      },
    },
    problems: { 400: ['cursor_invalid', 'not_permitted'] },
    async handle({ organizationId, caller, role, query, req, res }) {
      refuseTogether(req);
      const reader = readerOf({ caller, role });
      const { page, from, next } = await trail.list(organizationId, reader, query);
      if (next) res.set('Link', `<${withParameters(req, next)}>; rel="next"`);
      return { ...ok(page), headers: { 'Legate-From': from.toISOString() } };
    },
  }),
  operation('getAuditEvent', 'get', '/audit-events/{event_id}', {
    tag: 'Audit',
    summary: 'Get an audit event',
    access: 'audit:read',
    whileSuspended: 'owner',
    responses: { 200: { description: 'The event', schema: AuditEvent } },
    handle: async ({ organizationId, caller, role, params }) => {
      const event = await trail.find(organizationId, readerOf({ caller, role }), params.event_id);
      if (!event) throw notFound('The event does not exist.');
      return ok(event);
    },
  }),
];

/** The parameters that set where a page begins; `after` has its own order. */
const BEGINNINGS = [
  ['offset', 'cursor'],
  ['offset', 'after'],
  ['cursor', 'after'],
] as const;

/** @throws {Problem} 400 */
function refuseTogether({ query }: Request): void {
  for (const [parameter, other] of BEGINNINGS) {
    if (query[parameter] !== undefined && query[other] !== undefined) refuse(parameter, other);
  }
  if (query.after !== undefined && (query.sort ?? 'recorded_at') !== 'recorded_at') refuse('sort', 'after');
}

function refuse(parameter: string, other: string): never {
  const detail = `Cannot be combined with "${other}".`;
  throw validationFailed([{ parameter, code: 'not_together', detail }]);
}

/** Returns a relative reference to another page of the same list, which works behind any prefix of a proxy. */
function withParameters({ originalUrl }: Request, next: Readonly<Record<string, string>>): string {
  const { searchParams } = new URL(originalUrl, 'http://localhost');
  for (const name of ['offset', 'cursor', 'after']) searchParams.delete(name);
  for (const [name, value] of Object.entries(next)) searchParams.set(name, value);
  return `?${searchParams}`;
}
