import { createHash } from 'node:crypto';
import type { FieldChanges } from '../domain/audit-event.ts';

/** A text up to this length is recorded unchanged. */
const MAX_TEXT_BYTES = 512;
/** Lists and objects, as JSON: more than any list of scopes, less than 50 long origins */
const MAX_JSON_BYTES = 4096;
const EXCERPT_CHARACTERS = 100;
/** All changes of an event, as JSON. With what else it has, an event stays below 16 KiB. */
const MAX_CHANGES_BYTES = 8192;

/** Replaces a value that is too long for an event: enough to recognise it, and to prove what it was. */
export interface LongValue {
  /** Length of the text, or of the value's JSON, in characters */
  readonly length: number;
  /** Digest of its UTF-8 form, in hexadecimal digits */
  readonly sha256: string;
  /** The first characters of the value; none if even these are too long for the event */
  readonly excerpt?: string;
}

/**
 * Returns the changes with long values cut to length, digest and excerpt. Whole values would let one user fill the trail:
 * instructions take up to 80 KB, twice in each event.
 */
export function boundedChanges(changes: FieldChanges): FieldChanges {
  const kept: Record<string, { from: unknown; to: unknown }> = Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [field, { from: bounded(from), to: bounded(to) }]),
  );
  // The longest first, until the rest has room.
  const longestFirst = Object.entries(changes).sort(([a], [b]) => bytesOf(kept[b]) - bytesOf(kept[a]));
  for (const [field, { from, to }] of longestFirst) {
    if (bytesOf(kept) <= MAX_CHANGES_BYTES) break;
    kept[field] = { from: digestOf(from), to: digestOf(to) };
  }
  return kept;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : JSON.stringify(value);

function digestOf(value: unknown): unknown {
  const text = textOf(value);
  if (text === undefined || value === null) return value;
  return {
    length: [...text].length,
    sha256: createHash('sha256').update(text).digest('hex'),
  } satisfies LongValue;
}

function bounded(value: unknown): unknown {
  const text = textOf(value);
  const max = typeof value === 'string' ? MAX_TEXT_BYTES : MAX_JSON_BYTES;
  if (text === undefined || Buffer.byteLength(text) <= max) return value;
  const excerpt = [...text].slice(0, EXCERPT_CHARACTERS).join('');
  return { ...(digestOf(value) as LongValue), excerpt } satisfies LongValue;
}
