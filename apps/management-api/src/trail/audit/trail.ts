import { isId, type OrganizationId } from '@legate/ids';
import { type Page, toPage } from '@legate/pagination';
import { validationFailed } from '@legate/service';
import type { AuditEventId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import { isoTime } from '../../storage/columns.ts';
import type { TenantReader } from '../../storage/reader.ts';
import type { AuditEvent } from './audit-event.ts';
import {
  type Cursor,
  cursorInvalid,
  type EventKey,
  type EventSort,
  listDigest,
  readCursor,
  writeCursor,
} from './cursor.ts';
import { eventJson } from './event-json.ts';
import { type EventPage, readEvents } from './event-page.ts';
import { type EventFilters, eventFilters, type ListAuditEvents } from './list-query.ts';
import { withNames } from './names.ts';
import { seesAll, type TrailReader, visibleTo } from './visible.ts';

/** A page of the audit trail. */
export interface TrailPage {
  readonly page: Page<AuditEvent>;
  /** Start of the range that was searched */
  readonly from: Date;
  /** Parameters of the next page, besides the filters; undefined on the last page */
  readonly next: { readonly cursor: string } | { readonly after: string } | undefined;
}

export interface AuditTrail {
  /** @throws {Problem} 400 `cursor_invalid`, `not_permitted` */
  list(organizationId: OrganizationId, reader: TrailReader, query: ListAuditEvents): Promise<TrailPage>;
  find(
    organizationId: OrganizationId,
    reader: TrailReader,
    id: AuditEventId,
  ): Promise<AuditEvent | undefined>;
}

const DAY_MS = 24 * 3600 * 1000;
const DEFAULT_DAYS = 30;
/** Maximum range of a `search`, which reads each event of the range. */
const MAX_SEARCH_DAYS = 31;

/**
 * @param deps.reader for pages, which may be slightly out of date
 * @param deps.primary for readers who follow the trail: a replica may lack events that were recorded before
 * those it shows
 */
export function createAuditTrail(deps: {
  reader: TenantReader;
  primary: TenantReader;
  clock: () => Date;
}): AuditTrail {
  const { primary, clock } = deps;

  async function listAfter(organizationId: OrganizationId, reader: TrailReader, query: ListAuditEvents) {
    const { limit, after = '' } = query;
    const filters = filtersOf(query, reader, clock());
    const beyond = await findKey(primary, organizationId, reader, after);
    if (!beyond) throw cursorInvalid();
    const found = await readEvents(primary, organizationId, {
      ...{ reader, filters, limit, beyond },
      sort: 'recorded_at',
      isCounted: true,
    });
    const data = await withNames(primary, organizationId, reader, found.events);
    return {
      page: toPage(data, found.total, { limit, offset: 0 }, found.isCut),
      from: filters.from,
      next: { after: found.last?.id ?? after },
    };
  }

  return {
    async list(organizationId, reader, query) {
      if (query.after !== undefined) return listAfter(organizationId, reader, query);
      const { sort = '-occurred_at', limit } = query;
      const follows = sort === 'recorded_at';
      const tenants = follows ? primary : deps.reader;
      const list = listDigest(givenFilters(query), reader);
      const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, { sort, list });
      const filters = filtersOf(query, reader, clock(), cursor && new Date(cursor.from));
      const found = await readEvents(tenants, organizationId, {
        ...{ reader, filters, sort, limit },
        offset: query.offset,
        beyond: cursor?.last ?? undefined,
        isSettled: follows,
        isCounted: cursor === undefined,
      });
      const data = await withNames(tenants, organizationId, reader, found.events);
      const offset = cursor?.offset ?? query.offset;
      const total = totalOf(found, offset, cursor);
      const next = nextCursor({ sort, list, from: filters.from, total, offset }, found, cursor);
      return {
        page: toPage(data, total, { limit, offset }, found.isCut),
        from: filters.from,
        next: found.hasMore || follows ? { cursor: writeCursor(next) } : undefined,
      };
    },
    async find(organizationId, reader, id) {
      if (!isId(id)) return undefined;
      const values: unknown[] = [organizationId, id];
      const visible = visibleTo(reader, (value) => `$${values.push(value)}`);
      const text = `SELECT ${eventJson(visible, true)} AS event FROM audit_events r
WHERE r.organization_id = $1 AND r.id = $2 AND ${visible.rows}`;
      const find = { name: `audit_find_${visible.name}`, text, values };
      const [row] = await deps.reader.queryAsTenant<{ event: AuditEvent }>(organizationId, find);
      if (!row) return undefined;
      const [event] = await withNames(deps.reader, organizationId, reader, [row.event]);
      return event;
    },
  };
}

/** Finds the position of an event in the order of recording. */
async function findKey(
  tenants: TenantReader,
  organizationId: OrganizationId,
  reader: TrailReader,
  id: string,
): Promise<EventKey | undefined> {
  if (!isId(id)) return undefined;
  const values: unknown[] = [organizationId, id];
  const visible = visibleTo(reader, (value) => `$${values.push(value)}`);
  const [key] = await tenants.queryAsTenant<EventKey>(organizationId, {
    name: `audit_find_key_${visible.name}`,
    text: `SELECT ${isoTime('recorded_at')} AS at, r.id::text AS id
FROM audit_events r WHERE r.organization_id = $1 AND r.id = $2 AND ${visible.rows}`,
    values,
  });
  return key;
}

/**
 * Returns the total number of events. On a later page it is the number from the first page, corrected if
 * events were added or removed since, so that it always shows correctly whether more follow.
 */
function totalOf({ events, hasMore, total }: EventPage, offset: number, cursor: Cursor | undefined): number {
  const least = offset + events.length;
  if (!cursor) return total;
  return hasMore ? Math.max(cursor.total, least + 1) : least;
}

function nextCursor(
  walk: { sort: EventSort; list: string; from: Date; total: number; offset: number },
  { events, last }: EventPage,
  cursor: Cursor | undefined,
): Cursor {
  return {
    ...walk,
    from: walk.from.toISOString(),
    offset: walk.offset + events.length,
    last: last ?? cursor?.last ?? null,
  };
}

/** Returns the filters as they were sent. */
export const givenFilters = (query: EventFilters): EventFilters =>
  Object.fromEntries(
    Object.keys(eventFilters)
      .map((name) => [name, query[name as keyof EventFilters]])
      .filter(([, value]) => value !== undefined),
  );

/**
 * Returns the filters in use, with the beginning of the range.
 * @throws {Problem} 400 `not_permitted`, or for a range that is too long for a search
 */
export function filtersOf(
  query: EventFilters,
  reader: TrailReader,
  now: Date,
  knownFrom?: Date,
): EventFilters & { readonly from: Date } {
  if (!seesAll(reader) && (query.actor_email !== undefined || query.search !== undefined)) {
    throw problem('not_permitted', {
      detail: 'Only owners and admins may filter by actor_email and search.',
    });
  }
  const from = query.from ?? knownFrom ?? new Date(now.getTime() - DEFAULT_DAYS * DAY_MS);
  const until = query.to ?? now;
  if (query.search !== undefined && until.getTime() - from.getTime() > MAX_SEARCH_DAYS * DAY_MS) {
    const detail = `With search, at most ${MAX_SEARCH_DAYS} days before "to".`;
    throw validationFailed([{ parameter: 'from', code: 'out_of_range', detail }]);
  }
  return { ...givenFilters(query), from };
}
