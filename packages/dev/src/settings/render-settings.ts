import type { RemovedSettings, Setting } from '@legate/service';

const HEAD = `<!-- Made by \`npm run settings\` from the code. Change the \`.meta()\` of a setting there, not this file. -->
# Settings

Every service is told what it needs by its environment, once, at its start. A setting that is empty counts as not set, but for \`NODE_ENV\`: that is a fault.

- **From a file**: \`NAME_FILE\` gives the content of a file as \`NAME\`, for every setting, so that secrets need not be in the environment. The last line break does not count. \`NAME\` and \`NAME_FILE\` together are a fault: one of them would be ignored, and it might be the new one.
- **All faults at once**: a service that cannot use its settings writes each fault on a line of its own to standard error, by the name of the setting and never with its value, and exits with 1.
- **Typing errors**: a variable whose name is one letter away from a setting that is not set is told in a warning (\`LEGATE_UNKNOWN_SETTING\`), or among the faults where the setting is required. Other unknown names are no business of ours: an environment is full of them.
- **Who sets it, and when**: a setting is for the operators and situations that its row names. If you are none of them, leave it out. Values that nobody needs to choose are constants in the code.
- **Secrets** 🔒 are neither logged nor shown, not even here by their default.

## Not in production

With \`NODE_ENV=production\`, which the images set, a service refuses to start with what is for development:

- the secrets that Legate publishes (those with \`dev\` or \`development\` as a word in them, also inside a key), those that say \`change-me\` or \`replace-me\`, and secrets, keys and passwords that are shorter than 16 characters or made of fewer than 6 different ones;
- issuers and public URLs over plain http, but for a loopback address that is written out; and those that are left to a default;
- embedded stores, and keys that each process would make for itself;
- no \`TRUSTED_PROXIES\`: say \`none\` where there is no proxy;
- \`CONNECT_TO\`, and \`OUTBOUND_ALLOW\` with loopback or link-local addresses;
- configuration files that say \`"development": true\`;
- \`mock-idp\` as such: it signs in whoever knows a password of its file, and mints tokens for anybody with its key.

\`docker-compose.yml\` and \`npm start\` set \`NODE_ENV=development\`.
`;

const REMOVED = `## Removed settings

A service that is given one of these, or its \`_FILE\`, does not start, and tells what to do.
`;

/** One table for what all services have, one for each with what it has besides, and one of what there was. */
export function renderSettings(
  services: ReadonlyMap<string, readonly Setting[]>,
  removed: ReadonlyMap<string, RemovedSettings> = new Map(),
): string {
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
    ...(removed.size > 0 ? [`${REMOVED}\n${tableOfRemoved(removed)}`] : []),
  ].join('\n');
}

function tableOfRemoved(removed: ReadonlyMap<string, RemovedSettings>): string {
  const rows = [...removed].flatMap(([service, settings]) =>
    Object.entries(settings).map(([name, advice]) => `| \`${name}\` | ${service} | ${cell(advice)} |`),
  );
  return ['| Name | Service | What to do |', '|---|---|---|', ...rows.toSorted(), ''].join('\n');
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
