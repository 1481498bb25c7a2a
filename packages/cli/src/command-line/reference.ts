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
      'The development identity provider has new keys after each start, and a profile made before is refused: sign in again.',
    ].join('\n'),
    rows(
      ['Environment variable', 'Meaning'],
      variables.map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    '## Which addresses are used',
    [
      'A command takes the address of the hub, and that of the management API, from the first of these that has it:',
      '',
      '1. `LEGATE_HUB` or `LEGATE_API`;',
      '2. the profile, if the command uses one;',
      '3. the development stack on this computer: `http://localhost:4001` or `http://localhost:4000`, with the port in `TOOL_HUB_PORT` or `MANAGEMENT_API_PORT` instead if that is set. This does not apply to a profile whose identity provider is on another computer.',
      '',
      'So where the ports of another stack are set, a profile still leads to the services that it was made for. `legate whoami` shows each address and what set it, and so does an error about a service that cannot be reached.',
    ].join('\n'),
    [
      '```text',
      '$ legate login http://localhost:4002',
      '$ export MANAGEMENT_API_PORT=7400 TOOL_HUB_PORT=7401 MOCK_IDP_PORT=7402',
      '$ legate whoami',
      '…',
      'hub           http://localhost:4001 (from the profile)',
      'API           http://localhost:4000 (from the profile)',
      '$ legate whoami --user alice@acme.example',
      '…',
      'hub           http://localhost:7401 (from TOOL_HUB_PORT)',
      'API           http://localhost:7400 (from MANAGEMENT_API_PORT)',
      '```',
    ].join('\n'),
    '`--user` uses no profile. To stay with the other stack, sign in there: `legate login http://localhost:7402`.',
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
