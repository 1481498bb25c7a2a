import { pageOf } from '@legate/pagination';
import { notFound } from '@legate/service';
import { ok } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';
import { AuditEvent, ListAuditEvents } from './audit-event.ts';
import type { AuditTrail } from './trail.ts';

export const auditOperations = (trail: AuditTrail): Operation[] => [
  operation('listAuditEvents', 'get', '/audit-events', {
    tag: 'Audit',
    summary: 'List audit events',
    description: 'Newest first, unless sorted otherwise; the last 30 days where no `from` is given.',
    access: 'audit:read',
    query: ListAuditEvents,
    responses: { 200: { description: 'A page of events', schema: pageOf(AuditEvent) } },
    handle: async ({ organizationId, query }) => ok(await trail.list(organizationId, query)),
  }),
  operation('getAuditEvent', 'get', '/audit-events/{event_id}', {
    tag: 'Audit',
    summary: 'Get an audit event',
    access: 'audit:read',
    responses: { 200: { description: 'The event', schema: AuditEvent } },
    handle: async ({ organizationId, params }) => {
      const event = await trail.find(organizationId, params.event_id);
      if (!event) throw notFound('There is no such event.');
      return ok(event);
    },
  }),
];
