import { type Page, toPage } from '@legate/pagination';
import type { TenantDatabase } from '@legate/postgres';
import { isId } from '../api/id.ts';
import type { AuditEvent, ListAuditEvents } from './audit-event.ts';

export interface AuditTrail {
  /** Newest first; the last 30 days where no `from` is given. */
  list(organizationId: string, query: ListAuditEvents): Promise<Page<AuditEvent>>;
  find(organizationId: string, id: string): Promise<AuditEvent | undefined>;
}

const DEFAULT_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

const EVENT_JSON = `json_build_object('id', e.id, 'action', e.action,
  'occurred_at', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'actor', e.actor, 'targets', e.targets, 'changes', e.changes, 'context', e.context,
  'details', e.details)`;
const FIND = `SELECT ${EVENT_JSON} AS event FROM audit_events e WHERE e.organization_id = $1 AND e.id = $2`;

/** One text for each set of filters: the months before `from` are left out when the statement is planned. */
function listStatement(organizationId: string, query: ListAuditEvents, from: Date) {
  const values: unknown[] = [organizationId, query.limit, query.offset, from];
  const filters = ['e.organization_id = $1', 'e.occurred_at >= $4'];
  const names: string[] = [];
  const add = (name: string, value: unknown, condition: (parameter: string) => string) => {
    if (value === undefined) return;
    filters.push(condition(`$${values.push(value)}`));
    names.push(name);
  };
  add('action', query.action, (parameter) => `e.action = ${parameter}`);
  add('actor', query.actor_id, (parameter) => `e.actor->>'id' = ${parameter}`);
  add(
    'target',
    query.target_id,
    (parameter) => `e.targets @> jsonb_build_array(jsonb_build_object('id', ${parameter}::text))`,
  );
  add('to', query.to, (parameter) => `e.occurred_at < ${parameter}`);
  const where = filters.join(' AND ');
  return {
    name: ['audit_list', ...names].join('_'),
    text: `WITH page AS (
  SELECT e.* FROM audit_events e WHERE ${where} ORDER BY e.occurred_at DESC, e.id DESC LIMIT $2 OFFSET $3
)
SELECT
  (SELECT count(*)::int FROM audit_events e WHERE ${where}) AS total,
  (SELECT coalesce(json_agg(${EVENT_JSON} ORDER BY e.occurred_at DESC, e.id DESC), '[]') FROM page e) AS events`,
    values,
  };
}

export function createAuditTrail(deps: { tenants: TenantDatabase; clock: () => Date }): AuditTrail {
  const { tenants, clock } = deps;
  return {
    async list(organizationId, query) {
      const from = query.from ?? new Date(clock().getTime() - DEFAULT_DAYS * DAY_MS);
      const statement = listStatement(organizationId, query, from);
      const [row] = await tenants.queryAsTenant<{ events: AuditEvent[]; total: number }>(
        organizationId,
        statement,
      );
      return toPage(row?.events ?? [], row?.total ?? 0, query);
    },
    async find(organizationId, id) {
      if (!isId(id)) return undefined;
      const statement = { name: 'audit_find', text: FIND, values: [organizationId, id] };
      const [row] = await tenants.queryAsTenant<{ event: AuditEvent }>(organizationId, statement);
      return row?.event;
    },
  };
}
