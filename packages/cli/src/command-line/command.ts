import type { Io } from '../terminal/io.ts';
import type { Output } from '../terminal/output.ts';
import type { Progress } from '../terminal/progress.ts';
import type { ExitCode } from './exit-codes.ts';

interface Described {
  readonly summary: string;
}
export interface FlagOption extends Described {
  readonly kind: 'flag';
}
export interface TextOption extends Described {
  readonly kind: 'text';
  /** Name of the value in the help */
  readonly value: string;
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
}
export interface ListOption extends Described {
  readonly kind: 'list';
  readonly value: string;
}
export type Option = FlagOption | TextOption | ListOption;
/** Options by their long names, as typed: `client-id` */
export type Options = Readonly<Record<string, Option>>;

export interface Argument extends Described {
  readonly name: string;
  readonly isRequired: boolean;
  readonly choices?: readonly string[];
}

type ValueOf<Of extends Option> = Of extends FlagOption
  ? boolean
  : Of extends ListOption
    ? readonly string[]
    : Of extends { isRequired: true }
      ? string
      : string | undefined;
export type OptionValues<Of extends Options> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };
export type ArgumentValues<Of extends readonly Argument[]> = {
  readonly [Each in Of[number] as Each['name']]: Each['isRequired'] extends true
    ? string
    : string | undefined;
};

export interface Context {
  readonly io: Io;
  readonly out: Output;
  /** Returns a `fetch` that shows what it waits for, as that of `io` does. */
  readonly shownBy: Progress['shownBy'];
  /** The command as it was typed */
  readonly typed: string;
  /** Adds the typed user, profile and agent to a command that is suggested. */
  readonly next: (command: string) => string;
  readonly table: Table;
}

export interface Example {
  readonly typed: string;
  readonly does: string;
}

/** A command. Its help, completion and reference page are generated from this. */
export interface Command {
  /** One or two words: `connectors add`. The first may be a group, or a command that comes earlier: `doctor idp` */
  readonly name: string;
  readonly summary: string;
  /** Further paragraphs of the help */
  readonly description?: readonly string[];
  readonly arguments: readonly Argument[];
  readonly options: Options;
  /** Description of what `--json` writes; undefined: the command has no `--json` */
  readonly json?: string;
  readonly examples: readonly [Example, ...Example[]];
  run(input: Input, context: Context): Promise<ExitCode | number>;
}

export interface Input {
  readonly options: Readonly<Record<string, unknown>>;
  readonly args: Readonly<Record<string, string | undefined>>;
}

export interface Group {
  readonly name: string;
  readonly summary: string;
  /** The default command */
  readonly standard?: string;
}

/** All commands */
export interface Table {
  readonly commands: readonly Command[];
  readonly groups: readonly Group[];
  readonly version: string;
}

interface Definition<O extends Options, A extends readonly Argument[]> extends Omit<Command, 'run'> {
  readonly arguments: A;
  readonly options: O;
  run(
    input: { readonly options: OptionValues<O>; readonly args: ArgumentValues<A> },
    context: Context,
  ): Promise<ExitCode | number>;
}

/** Checks that a command reads the options and arguments that it declares. */
export function defineCommand<const O extends Options, const A extends readonly Argument[]>(
  definition: Definition<O, A>,
): Command {
  // `program.ts` builds the values from the declaration, so their types match.
  return definition as unknown as Command;
}

export const flag = (summary: string): FlagOption => ({ kind: 'flag', summary });
export const text = (value: string, summary: string): TextOption => ({ kind: 'text', value, summary });
export const list = (value: string, summary: string): ListOption => ({ kind: 'list', value, summary });
