/** Returns a command line quoted for a shell. */
export const typedLine = (args: readonly string[]): string => ['legate', ...args.map(quote)].join(' ');

/** Quotes an argument for a shell, if it needs that. */
export const quote = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
