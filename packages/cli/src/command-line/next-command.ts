import type { Table } from './command.ts';
import type { Parsed } from './program.ts';
import { quote } from './typed-line.ts';

/**
 * Adds to a suggested command the typed options that it defines as the typed command does, such as the user and agent
 * of both: without them it would be about somebody else.
 */
export function withTypedOptions(next: string, { command, options }: Parsed, { commands }: Table): string {
  const suggested = commands.find(({ name }) => `${next} `.startsWith(`legate ${name} `));
  if (!suggested || next.endsWith(' --help')) return next;
  const kept = Object.entries(command.options).flatMap(([name, option]) => {
    const value = options[name];
    const isMeant = typeof value === 'string' && suggested.options[name] === option;
    return isMeant && !new RegExp(` --${name}(?=[ =]|$)`).test(next) ? [`--${name}`, quote(value)] : [];
  });
  return [next, ...kept].join(' ');
}
