import { createHash } from 'node:crypto';

/** A replacement of a part of a source text; `start` and `end` are indexes into it, `end` exclusive. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** A single change of one source file that some test should notice. */
export interface Mutant extends Edit {
  /** Stays the same while the code around the change moves, unless an equal piece of code is added before it. */
  readonly id: string;
  /** Relative to the repository's root. */
  readonly file: string;
  readonly line: number;
  /** The kind of change, such as `condition forced`. */
  readonly mutator: string;
  /** The replaced code, on one line. */
  readonly original: string;
}

export const applyEdit = (source: string, { start, end, replacement }: Edit): string =>
  source.slice(0, start) + replacement + source.slice(end);

/** @param occurrence how many equal changes of the same file precede this one */
export function mutantId(
  { file, mutator, original, replacement }: Omit<Mutant, 'id' | 'line' | 'start' | 'end'>,
  occurrence: number,
): string {
  const identity = JSON.stringify([file, mutator, original, onOneLine(replacement), occurrence]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 12);
}

export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export function describeMutant({ mutator, original, replacement }: Mutant): string {
  const changed = onOneLine(replacement).replace(/^;$/, '');
  return `${mutator}: ${shorten(original)} -> ${changed === '' ? '(nothing)' : shorten(changed)}`;
}

const shorten = (text: string): string => (text.length > 90 ? `${text.slice(0, 89)}…` : text);
