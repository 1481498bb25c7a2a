import type { Setting } from '@legate/service';

const HEAD = `<!-- Made by \`npm run settings\` from the code. Change the \`.meta()\` of a setting there, not this file. -->
# Settings

Each service reads its settings from the environment, once, at start. An empty variable counts as not set; only an empty \`NODE_ENV\` is an error.

- **Who sets it, and when**: each setting is for the operators and situations in its row. If that is not you, leave it out. Values that no operator needs to choose are constants in the code.
- **From a file**: \`NAME_FILE\` reads the value of \`NAME\` from a file, for every setting, so that secrets need not be in the environment. A final line break is removed. \`NAME\` and \`NAME_FILE\` together are an error, because one of them would be ignored.
- **All errors at once**: a service that cannot use its settings writes one line for each error to standard error, with the name of the setting and never its value, and exits with 1.
- **Misspelled names**: if a variable is one letter away from a setting that is not set, the service warns (\`LEGATE_UNKNOWN_SETTING\`), or names it in the error if that setting is required. Other unknown variables are ignored.
- **Secrets** 🔒 are never logged or shown. This page does not show their defaults either.

## Not in production

With \`NODE_ENV=production\`, which the images set, a service refuses to start with:

- published development secrets (with \`dev\` or \`development\` as a word, also inside a key), placeholders (\`change-me\`, \`replace-me\`), and secrets, keys and passwords of less than 16 characters or fewer than 6 different ones;
- issuers and public URLs over plain http, except explicit loopback addresses, and issuers and public URLs that are left at their default;
- embedded stores, and keys that each process would generate;
- no \`TRUSTED_PROXIES\`: set \`none\` if there is no proxy;
- \`CONNECT_TO\`, and \`OUTBOUND_ALLOW\` with loopback or link-local addresses;
- configuration files with \`"development": true\`;
- \`mock-idp\` itself: it signs in anybody who knows a password of its file, and issues tokens to anybody with its key.

\`docker-compose.yml\` and \`npm start\` set \`NODE_ENV=development\`.
`;

/** One table for what all services have, and one for each with what it has besides. */
export function renderSettings(services: ReadonlyMap<string, readonly Setting[]>): string {
  const all = [...services.values()];
  const [first = []] = all;
  const isCommon = (setting: Setting) =>
    all.every((settings) => settings.some((other) => JSON.stringify(other) === JSON.stringify(setting)));
  const common = first.filter(isCommon);
  const own = [...services].map(([name, settings]) => ({
    name,
    settings: settings.filter((setting) => !isCommon(setting)),
  }));
  return [
    HEAD,
    `## All services\n\n${table(common)}`,
    ...own.map(({ name, settings }) => `## ${name}\n\n${table(settings)}`),
  ].join('\n');
}

const table = (settings: readonly Setting[]): string =>
  [
    '| Name | Meaning | Who sets it, and when | Default | Example |',
    '|---|---|---|---|---|',
    ...settings.map(row),
    '',
  ].join('\n');

function row(setting: Setting): string {
  const { name, description, when, values, defaultValue, required, example, secret } = setting;
  const meaning = values ? `${description} (${values})` : description;
  const byDefault = required ? '**required**' : code(defaultValue);
  return `| ${[`\`${name}\`${secret ? ' 🔒' : ''}`, meaning, when, byDefault, code(example)].map(cell).join(' | ')} |`;
}

const code = (text: string | undefined): string => (text === undefined ? '' : `\`${text}\``);

const cell = (text: string): string => text.replaceAll('|', '\\|');
