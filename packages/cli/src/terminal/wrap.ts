import { stripVTControlCharacters } from 'node:util';

/** Characters that take two columns in a terminal, and those that take none */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const EMPTY = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Returns the number of columns that a text takes in a terminal, without its colours. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of stripVTControlCharacters(text))
    columns += WIDE.test(character) ? 2 : EMPTY.test(character) ? 0 : 1;
  return columns;
}

/** Truncates a text to a number of columns, and marks that. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const kept = [...text];
  while (kept.length > 0 && columnsOf(kept.join('')) >= columns) kept.pop();
  return `${kept.join('').trimEnd()}…`;
}

const NO_BREAK = '\u00a0';
const NO_BREAK_BEFORE = new RegExp(`(?=${NO_BREAK})`);
/** Makes {@link wrap} keep the words of a text on one line, if they fit there. */
export const together = (text: string): string => text.replaceAll(' ', NO_BREAK);

/** A word with the spaces before it */
const WORD = / *[^ ]+/g;
/** An argument of a shell command with its quotes, after its option or operator, and with the spaces before */
const ARGUMENT = / *(?:(?:--[\w-]+|[<|]) (?!-|[<|] ))?(?:\\.|'[^']*'|"[^"]*"|[^ ])+/g;

/**
 * Breaks a line between words, never within one: addresses, ids and tokens stay whole, even if they are longer than a
 * line. A broken line of a command ends with a backslash, so that the command can still be pasted into a shell.
 * @param width columns of a line; `Infinity`: no line is broken
 * @param hang column at which further lines begin, unless a long word needs more room
 */
export function wrap(
  text: string,
  width: number,
  { hang = 0, isCommand = false }: { readonly hang?: number; readonly isCommand?: boolean } = {},
): string[] {
  const indent = ' '.repeat(hang > width / 2 ? 2 : hang);
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? line : indent + line))
    .flatMap((line) => (columnsOf(line) <= width ? [line] : wrapLine(line, width, indent, isCommand)))
    .map((line) => line.replaceAll(NO_BREAK, ' ').trimEnd());
}

function wrapLine(text: string, width: number, indent: string, isCommand: boolean): string[] {
  const [room, end, start] = isCommand ? [width - 2, ' \\', `${indent}  `] : [width, '', indent];
  const pieces = (text.match(isCommand ? ARGUMENT : WORD) ?? []).flatMap((piece) =>
    columnsOf(start + piece.trimStart()) > room ? piece.split(NO_BREAK_BEFORE) : [piece],
  );
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    const word = piece.trimStart();
    // Right after the label a line is only broken if that keeps a long word whole.
    const mayBreak =
      columnsOf(line) > indent.length || (!isCommand && line.trim() !== '' && columnsOf(word) <= room);
    if (columnsOf(line + piece) > room && mayBreak) {
      lines.push(line + end);
      line = start.slice(0, Math.max(room - columnsOf(word), 0)) + word;
    } else line += piece;
  }
  return [...lines, line];
}
