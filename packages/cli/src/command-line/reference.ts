import type { Command, Table } from './command.ts';
import { EXIT_TEXT } from './exit-codes.ts';
import { optionsOf } from './program.ts';

/** Environment variables, for the reference */
export type Variables = readonly (readonly [name: string, meaning: string])[];

/** Renders `docs/reference/cli.md`. */
export function renderReference({ commands }: Table, variables: Variables): string {
  return [
    '# The command line',
    '<!-- Made by `npm run documents` from the commands in packages/cli/src/commands. -->',
    [
      '`legate` starts the development stack, signs in, gets tokens, calls tools and shows what happened.',
      'In a clone of this repository it is `npx legate`, after `npm run build` or `npm start`.',
      '[`@legate/cli`](../../packages/cli/README.md) has an introduction.',
    ].join(' '),
    rows(
      ['Command', 'What it does'],
      commands.map((command) => [`[\`legate ${command.name}\`](#${anchorOf(command)})`, command.summary]),
    ),
    '## Output and exit codes',
    [
      'Results go to stdout, progress, warnings and errors to stderr. With `--json`, stdout has exactly one JSON value, also',
      'for an error: `{"error": {"code", "message", "next", …}}`. Commands that print lines print one value in each.',
      'Only `legate token` prints tokens. Control characters in texts of servers are removed.',
    ].join(' '),
    rows(
      ['Exit code', 'Meaning'],
      EXIT_TEXT.map(([code, meaning]) => [`${code}`, meaning]),
    ),
    '## Who you are',
    [
      'A command uses the first of these identities that is set:',
      '',
      '1. with `--user`, that user of the development identity provider;',
      '2. with `--profile`, the profile of that name, written by `legate login`;',
      '3. the token in `LEGATE_TOKEN`;',
      '4. `LEGATE_USER`, a user of the development identity provider;',
      '5. the profile that `LEGATE_PROFILE` names, or `default`;',
      '6. `alice@acme.example` of a development stack on this computer (`npm start`).',
      '',
      'A command that acts as a user of the development identity provider says so on stderr.',
      'A profile is the file `legate/{name}.json` in `$XDG_CONFIG_HOME` or `~/.config`. One that others may read is not used.',
    ].join('\n'),
    rows(
      ['Environment variable', 'Meaning'],
      variables.map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    ...commands.flatMap(sectionOf),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function sectionOf(command: Command): string[] {
  const { name, summary, description = [], arguments: args, examples } = command;
  const options = optionsOf(command);
  const usage = [
    `legate ${name}`,
    ...(options.length > 0 ? ['[options]'] : []),
    ...args.map((each) => (each.isRequired ? `<${each.name}>` : `[${each.name}]`)),
  ].join(' ');
  const settable = [
    ...args.map((each) => [
      `\`${each.name}\``,
      inCell(`${sentence(each.summary)}${choicesOf(each.choices)}`),
    ]),
    ...options.map(([option, spec]) => [
      `\`--${option}${spec.kind === 'flag' ? '' : ` <${spec.value}>`}\``,
      inCell(`${sentence(spec.summary)}${choicesOf('choices' in spec ? spec.choices : undefined)}`),
    ]),
  ];
  return [
    `## legate ${name}`,
    `${summary}.`,
    ...description,
    `\`\`\`text\n${usage}\n\`\`\``,
    ...(settable.length > 0 ? [rows(['Argument or option', 'Meaning'], settable)] : []),
    `\`\`\`text\n${examples.map(({ typed, does }) => `$ ${typed}\n    ${does}`).join('\n')}\n\`\`\``,
  ];
}

const anchorOf = ({ name }: Command): string => `legate-${name.replaceAll(' ', '-')}`;
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<');
const choicesOf = (choices: readonly string[] | undefined): string =>
  choices ? `: ${choices.map((each) => `\`${each}\``).join(', ')}` : '';

const rows = (headings: readonly string[], body: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
