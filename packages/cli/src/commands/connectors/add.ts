import type { components } from '@legate/client/management';
import { CliError, usageError } from '../../command-line/cli-error.ts';
import { defineCommand, flag, list, text } from '../../command-line/command.ts';
import { EXIT } from '../../command-line/exit-codes.ts';
import { readJson, readSecret } from '../../command-line/read-stdin.ts';
import { IDENTITY_OPTIONS } from '../../identity/identity.ts';
import { openManagementApi } from '../../services/management-api.ts';
import { nextLine } from '../../terminal/output.ts';
import { connectorLines } from './connector-lines.ts';

type NewConnector = components['schemas']['CreateConnector'];
type Method = NewConnector['auth_method'];

/** The authentication methods of the API. A missing one does not compile. */
const METHODS = Object.keys({
  'id-jag': true,
  'token-exchange': true,
  'oauth-pkce': true,
  passthrough: true,
  service: true,
} satisfies Record<Method, true>) as Method[];
const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;

export const connectorsAdd = defineCommand({
  name: 'connectors add',
  summary: 'Registers a tool server as a connector',
  description: [
    'The URL is the resource identifier of the tool server, spelled as in its metadata: it becomes the audience of tokens. `legate doctor <url>` prints it, with the scopes and the authorization server. `legate connectors add -` reads [all settings](../management-api/endpoints.md) as a JSON object on stdin.',
    'A secret is read from stdin, because other users of the computer can see arguments.',
  ],
  arguments: [
    {
      name: 'url',
      summary: 'resource identifier of the tool server; `-` reads JSON from stdin',
      isRequired: true,
    },
  ],
  options: {
    name: text('text', 'display name; required with a URL'),
    slug: text('word', 'short name, the prefix of its tools; default: derived from the name'),
    'mcp-url': text('url', 'MCP endpoint, if it is at another URL of the same host'),
    method: { ...text('method', 'how tokens are obtained; default: `id-jag`'), choices: METHODS },
    'client-id': text('id', 'client of the hub at the authorization server of the tool server'),
    'token-endpoint-auth-method': {
      ...text(
        'method',
        'how that client authenticates; default: as the metadata says. With `private_key_jwt` the secret is a JWK',
      ),
      choices: AUTH_METHODS,
    },
    scope: list('scope', 'a scope that the hub requests; repeat the option for several'),
    issuer: text(
      'url',
      'the authorization server, if its origin differs; with `token-exchange` the issuer of the identity provider',
    ),
    audience: text('text', "for `id-jag`: the identity provider's own name for the authorization server"),
    'exchange-audience': text(
      'text',
      'for `token-exchange`: the name of the tool server at the identity provider, such as the identifier of an API or a client id',
    ),
    'token-audience': text('text', 'what `aud` of that token contains; default: the exchange audience'),
    'acknowledge-shared-audience': flag(
      'confirm that you know that other servers may accept that token; needed unless its audience is the URL',
    ),
    'secret-stdin': flag('read the secret of the client from stdin, or ask for it at a terminal'),
    'acknowledge-legacy': flag('confirm that you know that `passthrough` skips the audience check'),
    ...IDENTITY_OPTIONS,
  },
  json: 'the new connector, as the management API returns it',
  examples: [
    {
      typed:
        'legate connectors add https://tools.example --name Notes --client-id tool-hub --scope notes:read --secret-stdin < secret.txt',
      does: 'Registers a tool server that accepts ID-JAGs.',
    },
    {
      typed:
        'legate connectors add https://mcp.example/mcp --name Files --method token-exchange --exchange-audience https://mcp.example/mcp',
      does: 'Registers one that accepts tokens of the identity provider, with this audience.',
    },
    {
      typed: 'legate connectors add - < connector.json',
      does: 'Registers one with all its settings from a file.',
    },
  ],
  async run({ options, args }, context) {
    const body = args.url === '-' ? parseBody(await readJson(context)) : await fromOptions();
    const { client, read } = await openManagementApi(context, options);
    const answer = await client.POST('/connectors', { body });
    const connector = args.url === '-' ? read(answer) : inOptions(() => read(answer), context.typed);
    context.out.result(connector, () => connectorLines(connector));
    context.out.note(nextLine(context.next(`legate doctor --connector ${connector.id}`)));
    return EXIT.done;

    async function fromOptions(): Promise<NewConnector> {
      const { name, slug, method, scope, issuer } = options;
      if (name === undefined)
        throw usageError('The connector needs a name.', `legate connectors add ${args.url} --name <text>`);
      const secret = options['secret-stdin']
        ? await readSecret(context.io, 'Secret of the client (it is not shown): ')
        : undefined;
      if (secret === '') throw usageError('The secret is empty.', 'legate connectors add --help');
      return {
        ...DEFAULTS,
        name,
        resource_url: args.url,
        mcp_url: options['mcp-url'] ?? null,
        auth_method: METHODS.find((known) => known === method) ?? 'id-jag',
        scopes: [...scope],
        client_id: options['client-id'] ?? null,
        token_endpoint_auth_method:
          AUTH_METHODS.find((known) => known === options['token-endpoint-auth-method']) ?? null,
        issuer: issuer ?? null,
        audience: options.audience ?? null,
        exchange_audience: options['exchange-audience'] ?? null,
        token_audience: options['token-audience'] ?? null,
        acknowledge_shared_audience: options['acknowledge-shared-audience'],
        acknowledge_legacy: options['acknowledge-legacy'],
        ...(slug !== undefined && { slug }),
        ...(secret !== undefined && { secret }),
      };
    }
  },
});

/** Members that have a default in the API, but are required in its types */
const DEFAULTS = {
  service_kind: null,
  step_up_scopes: [],
  fallback: [],
  passthrough_audiences: [],
  api_key_header: null,
  ca_certificates: null,
  enabled: true,
} satisfies Partial<NewConnector>;

/** Options by the members of the request that they set, with how to add them to the command */
const OPTIONS: Readonly<Record<string, readonly [option: string, added: string]>> = {
  '/name': ['--name', '--name <text>'],
  '/slug': ['--slug', '--slug <word>'],
  '/resource_url': ['<url>', ''],
  '/mcp_url': ['--mcp-url', '--mcp-url <url>'],
  '/client_id': ['--client-id', '--client-id <id>'],
  '/issuer': ['--issuer', '--issuer <url>'],
  '/exchange_audience': ['--exchange-audience', '--exchange-audience <text>'],
  '/token_audience': ['--token-audience', '--token-audience <text>'],
  '/acknowledge_shared_audience': ['--acknowledge-shared-audience', '--acknowledge-shared-audience'],
  '/acknowledge_legacy': ['--acknowledge-legacy', '--acknowledge-legacy'],
  '/secret': ['--secret-stdin', '--secret-stdin < secret.txt'], // last: a redirection ends the command
};

/** What is said instead of the details of the API, by member and code of the fault */
const TEXTS: Readonly<Record<string, string>> = {
  '/secret required':
    'The connector needs a secret. Give it on stdin with --secret-stdin, because other users of the computer can see arguments.',
  '/acknowledge_shared_audience shared_audience_not_acknowledged':
    'Other servers may accept the tokens, because their audience is not the URL. If you know that, say so.',
};

const isMissing = (code: unknown): boolean =>
  code === 'required' || code === 'shared_audience_not_acknowledged';

/** Names options in the API's refusal of a request, and suggests the command with those that are missing. */
function inOptions<Data>(read: () => Data, typed: string): Data {
  try {
    return read();
  } catch (err) {
    const errors = err instanceof CliError ? err.members.errors : undefined;
    if (!(err instanceof CliError) || !Array.isArray(errors)) throw err;
    const faults = errors.map((fault: unknown): Record<string, unknown> => Object(fault));
    const texts = faults.map(
      ({ pointer, code, detail }) =>
        TEXTS[`${pointer} ${code}`] ?? `${OPTIONS[String(pointer)]?.[0] ?? pointer}: ${detail}`,
    );
    const missing = Object.entries(OPTIONS).flatMap(([pointer, [, added]]) =>
      faults.some(({ pointer: at, code }) => at === pointer && isMissing(code)) ? [added] : [],
    );
    const { exitCode, code, members } = err;
    const next = missing.length === faults.length ? [typed, ...missing].join(' ') : err.next;
    throw new CliError({ exitCode, code, message: texts.join(' '), next, members, cause: err });
  }
}

/** The API checks everything else. */
function parseBody(text: string): NewConnector {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as NewConnector;
  } catch {
    // reported below
  }
  throw usageError('stdin is not a JSON object.', 'legate connectors add --help');
}
