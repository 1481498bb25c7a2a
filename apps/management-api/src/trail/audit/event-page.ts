import type { OrganizationId } from '@legate/ids';
import { isoTime } from '../../storage/columns.ts';
import { PAGE_BYTES } from '../../storage/page-statement.ts';
import type { TenantReader } from '../../storage/reader.ts';
import type { AuditEvent } from './audit-event.ts';
import { conditionsOf } from './conditions.ts';
import type { EventKey, EventSort } from './cursor.ts';
import { eventJson } from './event-json.ts';
import type { EventFilters } from './list-query.ts';
import { seesAll, type TrailReader, visibleTo } from './visible.ts';

/**
 * Maximum delay of an event after its time: longer than any statement may take, so that no transaction that commits late is
 * skipped.
 */
const SETTLED = "clock_timestamp() - interval '15 seconds'";

const ORDERS = {
  occurred_at: { column: 'r.occurred_at', direction: 'ASC', beyond: '>' },
  '-occurred_at': { column: 'r.occurred_at', direction: 'DESC', beyond: '<' },
  recorded_at: { column: 'r.recorded_at', direction: 'ASC', beyond: '>' },
} as const satisfies Record<EventSort, object>;

export interface EventQuery {
  readonly reader: TrailReader;
  readonly filters: EventFilters;
  readonly sort: EventSort;
  readonly limit: number;
  readonly offset?: number;
  /** Reads only events after this one, in the order of `sort` */
  readonly beyond?: EventKey | undefined;
  /** True omits events that were recorded just now */
  readonly isSettled?: boolean;
  /** True counts all matching events, including those of other pages */
  readonly isCounted?: boolean;
}

export interface EventPage {
  readonly events: readonly AuditEvent[];
  /** Position of the last event of the page */
  readonly last: EventKey | undefined;
  /** True if the page has fewer events than requested, because more would exceed the maximum of bytes */
  readonly isCut: boolean;
  readonly hasMore: boolean;
  /** Number of matching events; 0 unless `isCounted` */
  readonly total: number;
}

/** Reads events from one position on, at most `PAGE_BYTES` of JSON but at least one event, in one statement. */
export async function readEvents(
  tenants: TenantReader,
  organizationId: OrganizationId,
  query: EventQuery,
): Promise<EventPage> {
  const { limit, sort, filters, beyond } = query;
  const { text, values } = statementOf(organizationId, query);
  // Only the usual list is a prepared statement: otherwise every set of filters would stay prepared on each
  // connection.
  const isUsual = query.isCounted && !beyond && Object.keys(filters).length === 1 && seesAll(query.reader);
  const [row] = await tenants.queryAsTenant<{
    events: AuditEvent[] | null;
    last: EventKey | null;
    found: number;
    total: number | null;
  }>(organizationId, { name: isUsual ? `audit_list_${sort}` : '', text, values });
  const { events, last, found = 0, total } = row ?? {};
  const count = events?.length ?? 0;
  return {
    events: events ?? [],
    last: last ?? undefined,
    isCut: count < Math.min(found, limit),
    hasMore: found > count,
    total: total ?? 0,
  };
}

function statementOf(organizationId: OrganizationId, query: EventQuery) {
  const { reader, filters, sort, limit, offset = 0, beyond, isSettled, isCounted } = query;
  const values: unknown[] = [organizationId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { column, direction, beyond: comparison } = ORDERS[sort];
  const visible = visibleTo(reader, bind);
  const where = ['r.organization_id = $1', visible.rows, ...conditionsOf(filters, bind, visible)];
  if (isSettled) where.push(`r.recorded_at <= ${SETTLED}`);
  if (beyond) where.push(`(${column}, r.id) ${comparison} (${bind(beyond.at)}, ${bind(beyond.id)})`);
  const all = where.join(' AND ');
  const orderBy = `${column} ${direction}, r.id ${direction}`;
  const [take, skip, max] = [bind(limit + 1), bind(offset), bind(limit)];
  const text = `WITH page AS (
  SELECT r.* FROM audit_events r WHERE ${all} ORDER BY ${orderBy} LIMIT ${take} OFFSET ${skip}
), items AS (
  SELECT row_number() OVER (ORDER BY ${orderBy}) AS place, r.id, ${column} AS at, ${eventJson(visible, false)} AS item FROM page r
), sized AS (
  SELECT place, id, at, item, sum(octet_length(item::text)) OVER (ORDER BY place) AS bytes FROM items WHERE place <= ${max}
), kept AS (
  SELECT * FROM sized r WHERE place = 1 OR bytes <= ${PAGE_BYTES}
)
SELECT
  (SELECT json_agg(item ORDER BY place) FROM kept) AS events,
  (SELECT json_build_object('at', ${isoTime('at')}, 'id', r.id) FROM kept r ORDER BY place DESC LIMIT 1) AS last,
  (SELECT count(*)::int FROM page) AS found,
  ${isCounted ? `(SELECT count(*)::int FROM audit_events r WHERE ${all})` : 'NULL'} AS total`;
  return { text, values };
}
