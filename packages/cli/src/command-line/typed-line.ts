/** Returns a command line quoted for a shell. */
export const typedLine = (args: readonly string[]): string => ['legate', ...args.map(quote)].join(' ');

const quote = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
