/** Repeats a command line in a form that a shell takes. */
export const typedLine = (args: readonly string[]): string => ['legate', ...args.map(quote)].join(' ');

const quote = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
