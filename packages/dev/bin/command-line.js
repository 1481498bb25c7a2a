import { parseArgs } from 'node:util';

/**
 * The arguments of a command of the workshop. `--help` is answered here and ends with 0; what the command does not
 * know is one line, and ends with 2. JavaScript, for it runs before anything is built.
 * @param {string} command as it is typed, such as `npm run demo`
 * @param {string} help what `--help` prints
 * @param {readonly string[]} args
 * @param {import('node:util').ParseArgsConfig} accepted what the command knows beside `--help`: nothing
 */
export function readCommandLine(command, help, args, accepted = {}) {
  const options = { ...accepted.options, help: { type: 'boolean', short: 'h' } };
  try {
    const { values, positionals } = parseArgs({ ...accepted, options, args });
    if (!values.help) return { values, positionals };
  } catch (err) {
    refuse(command, err.message);
  }
  process.stdout.write(help);
  process.exit(0);
}

/** @param {string} fault of which the first sentence counts: Node.js adds advice for who writes such programs */
export function refuse(command, fault) {
  const [told] = fault.split(/\.\s|\n/);
  process.stderr.write(`${told}; ${command} -- --help says what there is\n`);
  process.exit(2);
}
