import { createHash } from 'node:crypto';
import type { FieldChanges } from '../domain/audit-event.ts';

/** A text up to this long stands in an event as it is. */
const MAX_TEXT_BYTES = 512;
/** Lists and objects, as JSON: more than any list of scopes, less than 50 long origins */
const MAX_JSON_BYTES = 4096;
const EXCERPT_CHARACTERS = 100;

/** Stands in an event for a value that is too long: enough to recognise it, and to prove what it was. */
export interface LongValue {
  /** Length of the text, or of the value's JSON, in characters */
  readonly length: number;
  /** Digest of its UTF-8 form, in hexadecimal digits */
  readonly sha256: string;
  /** Its first characters */
  readonly excerpt: string;
}

/**
 * Returns the changes with long values cut to length, digest and excerpt. Whole values would let one user fill the trail:
 * instructions take up to 80 KB, twice in each event.
 */
export function boundedChanges(changes: FieldChanges): FieldChanges {
  return Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [field, { from: bounded(from), to: bounded(to) }]),
  );
}

function bounded(value: unknown): unknown {
  const isText = typeof value === 'string';
  const text = isText ? value : JSON.stringify(value);
  if (text === undefined || Buffer.byteLength(text) <= (isText ? MAX_TEXT_BYTES : MAX_JSON_BYTES))
    return value;
  const characters = [...text];
  return {
    length: characters.length,
    sha256: createHash('sha256').update(text).digest('hex'),
    excerpt: characters.slice(0, EXCERPT_CHARACTERS).join(''),
  } satisfies LongValue;
}
