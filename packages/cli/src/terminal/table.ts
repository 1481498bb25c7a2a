import { type Line, type Painted, type Part, painted, textOf } from './output.ts';
import { oneLine } from './plain.ts';
import { columnsOf, cut, wrap } from './wrap.ts';

const GAP = 2;
/** The smallest width of a column of prose: below it, records are easier to read than a table. */
const MIN_PROSE = 12;
const MAX_CELL_LINES = 3;

/**
 * Formats rows as columns of equal width under headings. If they are wider than a line, the column of prose is wrapped,
 * and truncated after three lines. If that does not suffice, each row becomes a record: its cells below each other.
 * @param width columns of a line; `Infinity`: nothing is wrapped
 * @param prose heading of the column that may be wrapped, which has no ids and addresses: people copy those
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly Part[])[],
  { width, prose }: { readonly width: number; readonly prose?: string },
): Line[] {
  const cells = rows.map((row) => row.map((cell) => withText(cell, oneLine(textOf(cell)))));
  const natural = headings.map((heading, column) =>
    Math.max(columnsOf(heading), ...cells.map((row) => columnsOf(textOf(row[column] ?? '')))),
  );
  const excess = Math.max(natural.reduce((sum, each) => sum + each + GAP, -GAP) - width, 0);
  const widths = natural.map((each, column) => (headings[column] === prose ? each - excess : each));
  const room = Math.min(...widths.filter((_each, column) => headings[column] === prose));
  if (excess > 0 && !(room >= MIN_PROSE && room < Number.POSITIVE_INFINITY)) return records(headings, cells);
  return [headings.map((heading) => painted('bold', heading)), ...cells].flatMap((row) =>
    toLines(row, widths),
  );
}

const records = (headings: readonly string[], cells: readonly (readonly Part[])[]): Line[] =>
  cells.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...fields(headings.map((heading, column) => [heading.toLowerCase(), row[column] || undefined])),
  ]);

/** Formats a row. A cell that is wider than its column takes several lines. */
function toLines(row: readonly Part[], widths: readonly number[]): Line[] {
  const cells = row.map((cell, column) => wrapCell(textOf(cell), widths[column] ?? 0));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_each, line) =>
    row.flatMap((cell, column): Part[] => {
      const text = cells[column]?.[line] ?? '';
      const end = column === row.length - 1 ? 0 : (widths[column] ?? 0) + GAP;
      return [withText(cell, text), ' '.repeat(Math.max(end - columnsOf(text), 0))];
    }),
  );
}

function wrapCell(text: string, columns: number): readonly string[] {
  const lines = wrap(text, columns);
  const kept = lines.slice(0, MAX_CELL_LINES - 1);
  const rest = lines.slice(kept.length).join(' ');
  return [...kept, ...(rest === '' ? [] : [rest])].map((line) => cut(line, columns));
}

/** Formats names with their values, without those that have no value. */
export function fields(entries: readonly (readonly [name: string, value: Part | undefined])[]): Line[] {
  const given = entries.filter((entry): entry is [string, Part] => entry[1] !== undefined);
  const width = Math.max(...given.map(([name]) => name.length));
  return given.map(([name, value]) => [
    painted('bold', name.padEnd(width + GAP)),
    withText(value, oneLine(textOf(value))),
  ]);
}

const withText = (part: Part, text: string): string | Painted =>
  typeof part === 'string' ? text : { ...part, text };
