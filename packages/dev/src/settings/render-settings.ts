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

- in settings and configuration files: published development secrets (with \`dev\` or \`development\` as a word, also inside a key), placeholders (\`change-me\`, \`replace-me\`), and secrets, keys and passwords of less than 16 characters or fewer than 6 different ones;
- issuers and public URLs over plain http, except explicit loopback addresses, and issuers and public URLs that are left at their default;
- embedded stores, and keys that each process would generate;
- no \`TRUSTED_PROXIES\`: set \`none\` if there is no proxy;
- no \`WORKLOADS\` at a hub with \`MANAGEMENT_API_URL\`;
- a login in \`DATABASE_URL\` that is a superuser, has \`BYPASSRLS\`, or owns the tables without being the one that migrates;
- \`CONNECT_TO\`, and \`OUTBOUND_ALLOW\` with loopback or link-local addresses;
- configuration files with \`"development": true\`;
- \`mock-idp\` itself: it signs in anybody who knows a password of its file, and issues tokens to anybody with its key.

\`docker-compose.yml\` and \`npm start\` set \`NODE_ENV=development\`.
`;

/** One table with a row for each name. */
export function renderSettings(services: ReadonlyMap<string, readonly Setting[]>): string {
  return [HEAD, `## All settings\n\n${table(services)}`].join('\n');
}

/** Sorts the rows: first settings of all services, then of several, then of one. */
function table(services: ReadonlyMap<string, readonly Setting[]>): string {
  const byName = new Map<string, Map<string, Setting>>();
  for (const [service, settings] of services) {
    for (const setting of settings) {
      const owners = byName.get(setting.name) ?? new Map<string, Setting>();
      byName.set(setting.name, owners.set(service, setting));
    }
  }
  const rankOf = ({ size }: ReadonlyMap<string, Setting>) => (size === services.size ? 0 : size > 1 ? 1 : 2);
  const rows = [...byName.values()].toSorted((one, other) => rankOf(one) - rankOf(other));
  return [
    '| Name | Services | Meaning | Who sets it, and when | Default | Example |',
    '|---|---|---|---|---|---|',
    ...rows.map((owners) => row(owners, owners.size === services.size)),
    '',
  ].join('\n');
}

function row(owners: ReadonlyMap<string, Setting>, isCommon: boolean): string {
  const [{ name, secret } = { name: '', secret: false }] = owners.values();
  const cells = [
    `\`${name}\`${secret ? ' 🔒' : ''}`,
    isCommon ? 'all' : [...owners.keys()].join(', '),
    textOf(owners, ({ description, values }) => (values ? `${description} (${values})` : description)),
    textOf(owners, ({ when }) => when),
    textOf(owners, ({ required, defaultValue }) => (required ? '**required**' : code(defaultValue))),
    textOf(owners, ({ example }) => code(example)),
  ];
  return `| ${cells.map(cell).join(' | ')} |`;
}

/** Returns the text that all services of a row have; or each text with its services. */
function textOf(owners: ReadonlyMap<string, Setting>, textIn: (setting: Setting) => string): string {
  const services = new Map<string, string[]>();
  for (const [service, setting] of owners) {
    const text = textIn(setting);
    services.set(text, [...(services.get(text) ?? []), service]);
  }
  const [first = ''] = services.keys();
  if (services.size === 1) return first;
  return [...services]
    .filter(([text]) => text !== '')
    .map(([text, names]) => `${names.join(', ')}: ${text}`)
    .join('<br>');
}

const code = (text: string | undefined): string => (text === undefined ? '' : `\`${text}\``);

const cell = (text: string): string => text.replaceAll('|', '\\|');
