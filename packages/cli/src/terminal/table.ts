import { type Line, type Painted, type Part, painted, textOf } from './output.ts';
import { oneLine } from './plain.ts';

/** Formats rows as columns of equal width under headings. */
export function table(headings: readonly string[], rows: readonly (readonly Part[])[]): Line[] {
  const cells = rows.map((row) => row.map((cell) => withText(cell, oneLine(textOf(cell)))));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => textOf(row[column] ?? '').length)),
  );
  const toLine = (row: readonly Part[]): Line =>
    row.flatMap((cell, column): Part[] => [
      cell,
      column === row.length - 1 ? '' : ' '.repeat((widths[column] ?? 0) - textOf(cell).length + 2),
    ]);
  return [toLine(headings.map((heading) => painted('bold', heading))), ...cells.map(toLine)];
}

/** Formats names with their values, without those that have no value. */
export function fields(entries: readonly (readonly [name: string, value: Part | undefined])[]): Line[] {
  const given = entries.filter((entry): entry is [string, Part] => entry[1] !== undefined);
  const width = Math.max(...given.map(([name]) => name.length));
  return given.map(([name, value]) => [
    painted('bold', name.padEnd(width + 2)),
    withText(value, oneLine(textOf(value))),
  ]);
}

/** Truncates a text to a width. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(width - 1, 1))}…`;

const withText = (part: Part, text: string): string | Painted =>
  typeof part === 'string' ? text : { ...part, text };
