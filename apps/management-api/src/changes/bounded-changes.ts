import { createHash } from 'node:crypto';
import type { FieldChanges } from '../domain/audit-event.ts';

/** A text up to this length is recorded unchanged. */
const MAX_TEXT_BYTES = 512;
/**
 * Maximum length of a list or an object as JSON that is recorded unchanged: more than any list of scopes,
 * less than 50 long origins
 */
const MAX_JSON_BYTES = 4096;
const EXCERPT_CHARACTERS = 100;
/** Maximum length of all changes of an event, as JSON. With its other members, an event stays below 16 KiB. */
const MAX_CHANGES_BYTES = 8192;

/** Replaces a value that is too long for an event: it is enough to recognise the value, and to prove what it was. */
export interface LongValue {
  /** Length of the text, or of the value's JSON, in characters */
  readonly length: number;
  /** Digest of the value's UTF-8 form, in hexadecimal digits */
  readonly sha256: string;
  /** The first characters of the value; empty if even these are too long for the event */
  readonly excerpt?: string;
}

/**
 * Returns the changes, with long values replaced by length, digest and excerpt. With whole values, one user
 * could fill the audit trail: instructions have up to 80 KB, twice in each event.
 */
export function boundedChanges(changes: FieldChanges): FieldChanges {
  const kept: Record<string, { from: unknown; to: unknown }> = Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [field, { from: bounded(from), to: bounded(to) }]),
  );
  // Shortens the longest values first, until the others fit.
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
