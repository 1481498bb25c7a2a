import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { validationFailed } from '@legate/service';
import type { TenantReader } from '../../storage/reader.ts';
import { type EventKey, listDigest, readCursor, writeCursor } from './cursor.ts';
import { readEvents } from './event-page.ts';
import { EXPORT_FORMATS } from './export-format.ts';
import type { ExportAuditEvents } from './export-query.ts';
import { withNames } from './names.ts';
import { isStillAdmitted } from './still-admitted.ts';
import { filtersOf, givenFilters } from './trail.ts';
import type { TrailReader } from './visible.ts';

const PAGE_EVENTS = 500;
const MAX_EVENTS = 1_000_000;
const MAX_DAYS = 31;
const DAY_MS = 24 * 3600 * 1000;
/** Number of events after which the export checks again that the reader is still admitted. */
const ASKED_AGAIN_AFTER = 1000;

export interface TrailExport {
  /** The exported events: filters, and the range that they select */
  readonly range: { readonly from: Date; readonly to: Date };
  /** The text of one page at a time, read only as fast as it is consumed */
  readonly text: AsyncGenerator<string, void>;
}

export type ExportTrail = (
  organizationId: OrganizationId,
  reader: TrailReader,
  query: ExportAuditEvents,
) => TrailExport;

/** Thrown during an export when its reader loses access. */
class NoLongerAdmitted extends Error {
  override readonly name = 'NoLongerAdmitted';
}

/**
 * Exports the audit trail, oldest event first, by keyset: no transaction stays open, and memory holds one
 * page.
 * @throws {Problem} 400 for a range of more than 31 days, `cursor_invalid`, `not_permitted`
 */
export function createTrailExport(deps: {
  /** Reads the pages, which may be slightly out of date. */
  reader: TenantReader;
  primary: TenantDatabase;
  clock: () => Date;
  maxEvents?: number;
}): ExportTrail {
  const { clock, maxEvents = MAX_EVENTS } = deps;

  return (organizationId, reader, query) => {
    const sort = 'occurred_at';
    const list = listDigest(givenFilters(query), reader);
    const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, { sort, list });
    const wanted = filtersOf(query, reader, clock(), cursor && new Date(cursor.from));
    const filters = { ...wanted, to: query.to ?? clock() };
    if (filters.to.getTime() - filters.from.getTime() > MAX_DAYS * DAY_MS) {
      const detail = `Must be at most ${MAX_DAYS} days before "to".`;
      throw validationFailed([{ parameter: 'from', code: 'out_of_range', detail }]);
    }
    const format = EXPORT_FORMATS[query.format];
    const resumeAt = (last: EventKey | undefined) =>
      writeCursor({ sort, list, last: last ?? null, total: 0, offset: 0, from: filters.from.toISOString() });

    async function* pages(): AsyncGenerator<string, void> {
      let count = 0;
      let askAgainAt = ASKED_AGAIN_AFTER;
      let beyond = cursor?.last ?? undefined;
      for (;;) {
        const limit = Math.min(PAGE_EVENTS, maxEvents - count);
        const found = await readEvents(deps.reader, organizationId, { reader, filters, sort, limit, beyond });
        const events = await withNames(deps.reader, organizationId, reader, found.events);
        count += events.length;
        beyond = found.last ?? beyond;
        yield (count === events.length ? format.begin : '') + format.events(events);
        if (!found.hasMore) return yield format.end(count, null);
        if (count >= maxEvents) return yield format.end(count, resumeAt(beyond));
        if (count < askAgainAt) continue;
        askAgainAt = count + ASKED_AGAIN_AFTER;
        if (!(await isStillAdmitted(deps.primary, organizationId, reader))) throw new NoLongerAdmitted();
      }
    }
    return { range: filters, text: pages() };
  };
}
