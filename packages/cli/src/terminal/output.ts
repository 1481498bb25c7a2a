import { styleText } from 'node:util';
import type { TextStream } from './io.ts';
import { plain, safeJson } from './plain.ts';

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
export type Line = Part | readonly Part[];

export const painted = (format: Format, text: string): Painted => ({ format, text });
export const textOf = (part: Part): string => (typeof part === 'string' ? part : part.text);

export interface Output {
  readonly isJson: boolean;
  /** Maximum number of columns of a line */
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

const MAX_WIDTH = 160;
const DEFAULT_WIDTH = 100;

export function createOutput(
  { stdout, stderr }: { readonly stdout: TextStream; readonly stderr: TextStream },
  env: NodeJS.ProcessEnv,
  isJson: boolean,
): Output {
  const hasColours = (stream: TextStream) => stream.isTTY === true && !env.NO_COLOR;
  const write = (stream: TextStream, line: Line) => {
    const parts: readonly Part[] = typeof line === 'string' || 'format' in line ? [line] : line;
    const text = parts.map((part) => paint(part, hasColours(stream))).join('');
    stream.write(`${text.replace(/[ \t]+$/, '')}\n`);
  };
  return {
    isJson,
    width: Math.min(stdout.columns || DEFAULT_WIDTH, MAX_WIDTH),
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

function paint(part: Part, hasColours: boolean): string {
  const text = plain(textOf(part));
  return typeof part === 'string' || !hasColours
    ? text
    : styleText(part.format, text, { validateStream: false });
}
