import { usageError } from '../command-line/cli-error.ts';
import { defineCommand, flag, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { typedLine } from '../command-line/typed-line.ts';
import { developmentAddresses } from '../identity/addresses.ts';
import type { Redemption } from '../services/examination.ts';
import { HUB_OPTIONS } from '../services/hub.ts';

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Finds out why a tool server or a connector does not work',
  description: [
    'With a URL it examines a tool server from outside, as a hub would, and needs no Legate service. The URL is the MCP endpoint or the resource identifier. It may connect to addresses of this computer; list other private addresses in `OUTBOUND_ALLOW` (CIDR blocks, separated by commas).',
    "With `--redeem` a mock-idp mints ID-JAGs. The tool server must redeem the valid one once, and refuse all others. `CLIENT_SECRET` is the secret of the client at the tool server, `IDP_ADMIN_KEY` the key of the identity provider's admin API (by default that of `npm start`).",
    'With `--connector` the hub examines a connector, and tries a delegation as you. Administrators of the organization see the details.',
    'The report begins with the first fault and its remedy, because later faults may be consequences. [The reference of the doctor](hub/doctor.md) describes each check.',
  ],
  arguments: [{ name: 'url', summary: 'a tool server', isRequired: false }],
  options: {
    connector: text('id', 'a connector, by its id, or by its short name if the hub can use it'),
    redeem: flag('send valid and invalid ID-JAGs to the tool server'),
    issuer: text('url', 'the development identity provider that mints them'),
    'client-id': text('id', 'the client at the tool server (default tool-hub)'),
    ...HUB_OPTIONS,
  },
  json: 'the report as JSON',
  examples: [
    { typed: 'legate doctor https://tools.example/mcp', does: 'Examines a tool server.' },
    {
      typed: 'legate doctor http://localhost:8080/mcp --redeem --issuer http://localhost:4002',
      does: 'Sends it ID-JAGs of the development stack.',
    },
    { typed: 'legate doctor --connector reference', does: 'Examines a connector at the hub, as you.' },
  ],
  async run({ options, args }, context) {
    const { url } = args;
    const { connector } = options;
    if ((url === undefined) === (connector === undefined))
      throw usageError('Name a URL or a connector.', 'legate doctor --help');
    if (url !== undefined && !isServerUrl(url))
      throw usageError(`${url} is not the URL of a tool server.`, 'legate doctor https://tools.example/mcp');
    // Imported only here, because it takes longer to load than all other commands together.
    const { examineConnector, examineServer } = await import('../services/examination.ts');
    const { status, value, print } =
      url === undefined
        ? await examineConnector(context, connector ?? '', options)
        : await examineServer(context, url, redemptionOf(url, options, context.io.env));
    const { out } = context;
    if (out.isJson) out.result(value, () => []);
    else out.raw(print(out));
    return status === 'fail' ? EXIT.fault : EXIT.done;
  },
});

/** @throws {CliError} if `--redeem` is given without an identity provider, or without the client's secret */
function redemptionOf(
  url: string,
  options: {
    readonly redeem: boolean;
    readonly issuer: string | undefined;
    readonly 'client-id': string | undefined;
    readonly user: string | undefined;
  },
  env: NodeJS.ProcessEnv,
): Redemption | undefined {
  if (!options.redeem) return undefined;
  const { issuer = '', 'client-id': clientId = 'tool-hub', user = 'alice@acme.example' } = options;
  if (!isServerUrl(issuer))
    throw usageError(
      '--redeem needs the address of a development identity provider in --issuer.',
      typedLine(['doctor', url, '--redeem', '--issuer', developmentAddresses(env).issuer]),
    );
  const { CLIENT_SECRET: secret } = env;
  if (!secret)
    throw usageError(
      `CLIENT_SECRET is not set: the secret of the client ${clientId} at this tool server.`,
      'legate doctor --help',
    );
  return { issuer, client: { id: clientId, secret }, user };
}

const isServerUrl = (url: string): boolean =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && !url.includes('#');
