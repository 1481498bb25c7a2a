import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AuditEventId } from '../../domain/ids.ts';
import { Instant } from '../../domain/instant.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { EventFilters } from './list-query.ts';
import { seesAll, type TrailReader } from './visible.ts';

export const EVENT_SORTS = ['occurred_at', '-occurred_at', 'recorded_at'] as const;
export type EventSort = (typeof EVENT_SORTS)[number];

/** The position of an event in the order of the list */
export const EventKey = z.strictObject({
  // PostgreSQL has no year 0.
  at: Instant.refine((at) => at >= '0001'),
  id: AuditEventId,
});
export type EventKey = z.output<typeof EventKey>;

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * The position from which a list continues. It is neither secret nor signed, because it only narrows what its
 * reader may see anyway.
 */
const Cursor = z.strictObject({
  sort: z.enum(EVENT_SORTS),
  /** Digest of filters and reader: a cursor for another list is refused, because its position would be wrong */
  list: z.string(),
  /** The last event that was returned; absent if the first page had none */
  last: EventKey.nullable(),
  /** Number of events on the first page: later events do not change it */
  total: Count,
  offset: Count,
  from: Instant,
});
export type Cursor = z.output<typeof Cursor>;

/** Returns the digest of a list: its filters, and the part of the audit trail that its reader may see. */
export function listDigest(filters: EventFilters, reader: TrailReader): string {
  const wanted = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const view = seesAll(reader) ? 'all' : [reader.role, reader.userId];
  return createHash('sha256')
    .update(JSON.stringify([wanted, view]))
    .digest('base64url')
    .slice(0, 16);
}

export const writeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** @throws {Problem} 400 `cursor_invalid` if the text is no cursor, or belongs to another list */
export function readCursor(text: string, expected: Pick<Cursor, 'sort' | 'list'>): Cursor {
  const cursor = Cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  const { sort, list } = cursor.data ?? {};
  if (!cursor.success || sort !== expected.sort || list !== expected.list) throw cursorInvalid();
  return cursor.data;
}

export const cursorInvalid = () =>
  problem('cursor_invalid', {
    detail: 'Start again without the cursor, or repeat the parameters of the page that it comes from.',
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
