import { styleText } from 'node:util';
import type { TextStream } from './io.ts';
import { plain, safeJson } from './plain.ts';
import { columnsOf, wrap } from './wrap.ts';

type Format = Extract<Parameters<typeof styleText>[0], string>;

/**
 * Text with a colour. Escape sequences in the text are removed before the colour is added, so a server cannot add its
 * own.
 */
export interface Painted {
  readonly format: Format;
  readonly text: string;
}
export type Part = string | Painted;
/** A command that people copy into a shell, the last part of its line */
export interface ShellCommand {
  readonly command: string;
}
/** Text that is printed as it is, such as the result of a tool. Its lines are not broken. */
export interface Verbatim {
  readonly verbatim: string;
}
/**
 * A line for people. In a terminal it is broken between words. If its first part ends with a space, it is a label, and
 * further lines begin below its end.
 */
export type Line = Part | readonly (Part | ShellCommand)[] | Verbatim;

export const painted = (format: Format, text: string): Painted => ({ format, text });
/** Returns a line with the next command to type. */
export const nextLine = (command: string): Line => [painted('bold', 'Next: '), { command }];
export const textOf = (part: Part): string => (typeof part === 'string' ? part : part.text);

export interface Output {
  readonly isJson: boolean;
  /** Columns of a line on stdout; `Infinity` if stdout is not a terminal */
  readonly width: number;
  /** Writes the result of a command: `value` with `--json`, else `lines` for people. */
  result(value: unknown, lines: () => readonly Line[]): void;
  /** Writes one of several values on its own line. */
  item(value: unknown, line: () => Line): void;
  /** Writes progress, warnings and advice for people to stderr. */
  note(...lines: readonly Line[]): void;
  /** Writes text that is already safe for a terminal. */
  raw(text: string): void;
  readonly hasColours: boolean;
}

const DEFAULT_WIDTH = 80;

/** Returns the columns of a line: outside a terminal nothing is wrapped or cut. */
export const widthOf = ({ isTTY, columns }: TextStream): number =>
  isTTY === true ? columns || DEFAULT_WIDTH : Number.POSITIVE_INFINITY;

export function createOutput(
  { stdout, stderr }: { readonly stdout: TextStream; readonly stderr: TextStream },
  env: NodeJS.ProcessEnv,
  isJson: boolean,
): Output {
  const hasColours = (stream: TextStream) => stream.isTTY === true && !env.NO_COLOR;
  const write = (stream: TextStream, line: Line) => {
    for (const text of layOut(line, widthOf(stream), hasColours(stream)))
      stream.write(`${text.replace(/[ \t]+$/, '')}\n`);
  };
  return {
    isJson,
    width: widthOf(stdout),
    hasColours: hasColours(stdout),
    result(value, lines) {
      if (isJson) stdout.write(`${safeJson(value, 2)}\n`);
      else for (const line of lines()) write(stdout, line);
    },
    item(value, line) {
      if (isJson) stdout.write(`${safeJson(value)}\n`);
      else write(stdout, line());
    },
    note(...lines) {
      for (const line of lines) write(stderr, line);
    },
    raw: (text) => void stdout.write(text),
  };
}

function layOut(line: Line, width: number, hasColours: boolean): string[] {
  if (typeof line === 'object' && 'verbatim' in line) return [plain(line.verbatim)];
  const parts = typeof line === 'string' || 'format' in line ? [line] : line;
  const label = parts.length > 1 ? plain(contentOf(parts[0] ?? '')) : '';
  return wrap(parts.map((part) => paint(part, hasColours)).join(''), width, {
    hang: label.endsWith(' ') ? columnsOf(label) : 0,
    isCommand: parts.some((part) => typeof part === 'object' && 'command' in part),
  });
}

const contentOf = (part: Part | ShellCommand): string =>
  typeof part === 'object' && 'command' in part ? part.command : textOf(part);

function paint(part: Part | ShellCommand, hasColours: boolean): string {
  const text = plain(contentOf(part));
  return hasColours && typeof part === 'object' && 'format' in part
    ? styleText(part.format, text, { validateStream: false })
    : text;
}
