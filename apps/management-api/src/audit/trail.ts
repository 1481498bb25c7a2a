import { isId, type OrganizationId } from '@legate/ids';
import type { AuditEventId } from '../domain/ids.ts';
import { isoTime } from '../storage/columns.ts';
import { type Filter, queryPage } from '../storage/page-statement.ts';
import type { TenantReader } from '../storage/reader.ts';
import { statement } from '../storage/statement.ts';
import type { AuditEvent, ListAuditEvents } from './audit-event.ts';

const DEFAULT_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

const EVENT_JSON = `json_build_object('id', r.id, 'action', r.action, 'occurred_at', ${isoTime('occurred_at')},
  'actor', r.actor, 'targets', r.targets, 'changes', r.changes, 'context', r.context, 'details', r.details)`;
const FIND = statement('audit_find')`SELECT ${EVENT_JSON} AS event
FROM audit_events r WHERE r.organization_id = $1 AND r.id = $2`;
const ORDER_BY = {
  '-occurred_at': 'r.occurred_at DESC, r.id DESC',
  occurred_at: 'r.occurred_at, r.id',
} as const;

const filtersOf = ({ action, actor_id, target_id, to }: ListAuditEvents): Filter[] => [
  { name: 'action', value: action, condition: (wanted) => `r.action = ${wanted}` },
  { name: 'actor', value: actor_id, condition: (wanted) => `r.actor->>'id' = ${wanted}` },
  {
    name: 'target',
    value: target_id,
    condition: (wanted) => `r.targets @> jsonb_build_array(jsonb_build_object('id', ${wanted}::text))`,
  },
  { name: 'to', value: to, condition: (wanted) => `r.occurred_at < ${wanted}` },
];

export type AuditTrail = ReturnType<typeof createAuditTrail>;

export function createAuditTrail(deps: { tenants: TenantReader; clock: () => Date }) {
  const { tenants, clock } = deps;
  return {
    /** In the requested order; without `from`, the last 30 days. */
    list(organizationId: OrganizationId, query: ListAuditEvents) {
      const from = query.from ?? new Date(clock().getTime() - DEFAULT_DAYS * DAY_MS);
      return queryPage<AuditEvent>(tenants, organizationId, query, {
        name: `audit_list_${query.sort}`,
        from: 'audit_events r',
        // The months before are left out when the statement is planned.
        where: 'r.organization_id = $1 AND r.occurred_at >= $2',
        values: [from],
        filters: filtersOf(query),
        orderBy: ORDER_BY[query.sort],
        json: EVENT_JSON,
      });
    },
    async find(organizationId: OrganizationId, id: AuditEventId) {
      if (!isId(id)) return undefined;
      const [row] = await tenants.queryAsTenant<{ event: AuditEvent }>(
        organizationId,
        FIND(organizationId, id),
      );
      return row?.event;
    },
  };
}
