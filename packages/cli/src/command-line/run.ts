import type { Io } from '../terminal/io.ts';
import { createOutput, nextLine, type Output, painted, widthOf } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';
import { CliError, usageError } from './cli-error.ts';
import type { Table } from './command.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { withTypedOptions } from './next-command.ts';
import { parseCommandLine } from './program.ts';
import { typedLine } from './typed-line.ts';

/** Columns of the help, which is mostly prose, in wide terminals and in files */
const HELP_WIDTH = 100;

/**
 * Runs a command line. Every error is converted to a text and an exit code here.
 * @returns the exit code
 */
export async function runCli(table: Table, args: readonly string[], io: Io): Promise<ExitCode | number> {
  const parsed = parseCommandLine(table, args, {
    width: Math.min(widthOf(io.stdout), HELP_WIDTH),
    write: (text) => void io.stdout.write(text),
  });
  if ('kind' in parsed) {
    if (parsed.kind === 'help') return EXIT.done;
    const isJson = args.includes('--json');
    return printFault(usageError(parsed.message, `${parsed.of} --help`), createOutput(io, io.env, isJson));
  }
  const { command, options, args: values } = parsed;
  const { stdout, stderr, shownBy } = createProgress(io);
  const out = createOutput({ stdout, stderr }, io.env, options.json === true);
  const context = {
    io: { ...io, stdout, stderr, fetch: shownBy(io.fetch) },
    out,
    shownBy,
    typed: typedLine(args),
    next: (suggested: string) => withTypedOptions(suggested, parsed, table),
    table,
  };
  try {
    return await command.run({ options, args: values }, context);
  } catch (err) {
    if (io.signal.aborted) {
      if (io.stderr.isTTY) io.stderr.write('\n'); // ends the line with `^C`, or with a question
      return EXIT.interrupted;
    }
    if (err instanceof CliError) return printFault(err, out, context.next(err.next));
    throw err;
  }
}

/** Writes an error to stderr for people, or with `--json` as the only value on stdout. */
function printFault(fault: CliError, out: Output, next = fault.next): ExitCode {
  const { code, message, members, exitCode } = fault;
  out.note([painted('red', 'Error: '), message], nextLine(next));
  if (out.isJson) out.result({ error: { code, message, ...members, next } }, () => []);
  return exitCode;
}
