import { parseArgs } from 'node:util';

/**
 * Parses the arguments of a command. Prints help for `--help` and exits with 0; prints one line for an unknown argument
 * and exits with 2. JavaScript, because it runs before the build.
 * @param {string} command as it is typed, such as `npm run demo`
 * @param {string} help the output of `--help`
 * @param {readonly string[]} args
 * @param {import('node:util').ParseArgsConfig} accepted options besides `--help`; default: none
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

/** @param {string} fault only the first sentence is used: Node.js adds advice for authors of such programs */
export function refuse(command, fault) {
  const [message] = fault.split(/\.\s|\n/);
  process.stderr.write(`${message}; ${command} -- --help lists the options\n`);
  process.exit(2);
}
