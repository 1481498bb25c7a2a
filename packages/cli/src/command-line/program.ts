import { Command as Commander, CommanderError, Option as CommanderOption, type Help } from 'commander';
import { wrap } from '../terminal/wrap.ts';
import type { Command, Option, Options, Table } from './command.ts';
import { EXIT_TEXT } from './exit-codes.ts';

/** The parsed command line, if it is a command. */
export interface Parsed {
  readonly command: Command;
  readonly options: Readonly<Record<string, unknown>>;
  readonly args: Readonly<Record<string, string | undefined>>;
}

/** The command line asked for help, which has been written, or is wrong. */
export type NotRun =
  | { readonly kind: 'help' }
  | { readonly kind: 'fault'; readonly message: string; readonly of: string };

export const JSON_OPTION = 'json';

/**
 * Parses a command line by the table of commands.
 * @param help writes the help, in lines of `width` columns
 */
export function parseCommandLine(
  { commands, groups, version }: Table,
  args: readonly string[],
  help: { readonly width: number; readonly write: (text: string) => void },
): Parsed | NotRun {
  let parsed: Parsed | undefined;
  let faulty = 'legate';
  const program = new Commander('legate')
    .description('Legate: AI agents that act as the signed-in user.')
    .version(version, '-V, --version', 'print the version')
    // A command with subcommands must not take the options that these have too.
    .enablePositionalOptions()
    .addHelpText(
      'after',
      `\n${exitCodes(help.width)}\n\n${wrap('All commands and variables: docs/reference/cli.md in the repository', help.width).join('\n')}`,
    );
  const parents = new Map<string, Commander>([['', program]]);
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ');
    const group = second === undefined ? undefined : groups.find(({ name }) => name === first);
    if (group && !parents.has(first)) parents.set(first, program.command(first).description(group.summary));
    const parent = parents.get(second === undefined ? '' : first) ?? program;
    const isDefault = group !== undefined && group.standard === second;
    const own = parent.command(second ?? first, { isDefault }).action((...values: unknown[]) => {
      const given = own.opts();
      parsed = {
        command,
        options: Object.fromEntries(
          optionsOf(command).map(([name, option]) => [name, given[toCamelCase(name)] ?? absent(option)]),
        ),
        args: Object.fromEntries(
          command.arguments.map(({ name }, index) => [name, values[index] as string | undefined]),
        ),
      };
    });
    declare(own, command, help.width);
    if (second === undefined) parents.set(first, own.enablePositionalOptions());
  }
  for (const each of allOf(program)) {
    each.exitOverride().configureOutput({
      writeOut: help.write,
      getOutHelpWidth: () => help.width,
      writeErr: () => {},
      outputError: () => {
        faulty = pathOf(each);
      },
    });
    each.helpCommand(false).showSuggestionAfterError(true).configureHelp({ formatItem });
  }
  if (args.length === 0) {
    program.outputHelp();
    return { kind: 'help' };
  }
  try {
    program.parse([...args], { from: 'user' });
  } catch (err) {
    if (!(err instanceof CommanderError)) throw err;
    if (err.exitCode === 0) return { kind: 'help' };
    if (err.code === 'commander.help') faulty = `legate ${args[0]}`;
    return { kind: 'fault', message: faultText(err, args), of: faulty };
  }
  if (!parsed) throw new Error('a command without an action');
  return parsed;
}

/** Matches Markdown links, which descriptions may contain. */
const LINK = /\[([^\]]+)\]\([^)]+\)/g;

/** Declares arguments, options and examples of a command. */
function declare(own: Commander, command: Command, width: number): void {
  own.summary(command.summary);
  own.description([command.summary, ...(command.description ?? [])].join('\n\n').replace(LINK, '$1'));
  for (const { name, summary, isRequired, choices } of command.arguments) {
    const argument = own.createArgument(isRequired ? `<${name}>` : `[${name}]`, summary);
    own.addArgument(choices ? argument.choices(choices) : argument);
  }
  for (const [name, option] of optionsOf(command)) own.addOption(toCommander(name, option));
  const examples = command.examples.flatMap(({ typed, does }) => [
    ...wrap(`  $ ${typed}`, width, { hang: BELOW.length, isCommand: true }),
    ...wrap(BELOW + does, width, { hang: BELOW.length }),
  ]);
  own.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  own.allowExcessArguments(false);
}

const BELOW = ' '.repeat(6);
/** Formats an option or a command. If names take more than half of a line, the descriptions stand below them. */
function formatItem(term: string, termWidth: number, description: string, { helpWidth = 80 }: Help): string {
  const head = `  ${term.padEnd(termWidth + 2)}`;
  return head.length <= helpWidth / 2
    ? wrap(head + description, helpWidth, { hang: head.length }).join('\n')
    : [`  ${term}`, ...wrap(BELOW + description, helpWidth, { hang: BELOW.length })].join('\n');
}

/** Returns the options of a command, including the shared ones. */
export function optionsOf({ options, json }: Command): readonly (readonly [string, Option])[] {
  const shared: Options =
    json === undefined ? {} : { [JSON_OPTION]: { kind: 'flag', summary: `print ${json}` } };
  return Object.entries({ ...options, ...shared });
}

function toCommander(name: string, option: Option): CommanderOption {
  const flags = option.kind === 'flag' ? `--${name}` : `--${name} <${option.value}>`;
  const made = new CommanderOption(flags, option.summary);
  if (option.kind === 'text' && option.choices) made.choices(option.choices);
  if (option.kind === 'text' && option.isRequired) made.makeOptionMandatory();
  if (option.kind === 'list')
    made.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  return made;
}

const absent = ({ kind }: Option): unknown => (kind === 'flag' ? false : kind === 'list' ? [] : undefined);

const toCamelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());

const allOf = (program: Commander): Commander[] => [program, ...program.commands.flatMap(allOf)];

const pathOf = (command: Commander): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

function faultText(err: CommanderError, args: readonly string[]): string {
  if (err.code === 'commander.help') return `legate ${args[0]} needs a subcommand.`;
  const [first = '', suggestion] = err.message.replace(/^error: /, '').split('\n');
  const text = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.$/, '');
  return suggestion ? `${text}. ${suggestion.replace(/^\(|\)$/g, '')}` : `${text}.`;
}

const exitCodes = (width: number): string =>
  [
    'Exit codes:',
    ...EXIT_TEXT.flatMap(([code, meaning]) => {
      const head = `  ${String(code).padEnd(5)}`;
      return wrap(head + meaning, width, { hang: head.length });
    }),
  ].join('\n');
