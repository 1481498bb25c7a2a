import { usageError } from '../command-line/cli-error.ts';
import { defineCommand, flag, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { serviceUrl } from '../identity/addresses.ts';

const HELP = 'legate doctor idp --help';

export const doctorIdp = defineCommand({
  name: 'doctor idp',
  summary: 'Finds out what works with an identity provider, and what to set for it',
  description: [
    'Examines a provider leg by leg, as the hub would use it, and needs no Legate service: metadata, keys, sign-in, client authentication, the organization, ID-JAG, token exchange. A leg that cannot run names the option that it needs. At the end stand the settings to paste.',
    'Without options only public documents are read. The client is that of the hub. Secrets come from files or `LEGATE_IDP_SECRET`, never from an argument. No token or secret is printed, also not in errors and with `--json`; values of claims only with `--show-values`.',
    'With `--sign-in` you sign in with your browser: register `http://127.0.0.1/callback`, any port, as a redirect URI of the client for that time; where the provider compares the port too, use `--token-file`, with which you bring the tokens. A refresh token is used up where the provider exchanges refresh tokens.',
    'Addresses of this computer are allowed if the issuer is one; list other private addresses in `OUTBOUND_ALLOW` (CIDR blocks, separated by commas). [The reference of the doctor](hub/doctor.md#does-my-provider-work) describes each leg.',
  ],
  arguments: [
    {
      name: 'issuer',
      summary: 'the issuer of the provider, as it is in `iss` of its tokens',
      isRequired: true,
    },
  ],
  options: {
    'client-id': text('id', 'the client of the hub at the provider'),
    kind: text('kind', 'the kind of provider, a value of `IDP_KIND`; default: what its metadata look like'),
    key: text('file', 'the private keys of the client, in the form of `IDP_CLIENT_KEYS`'),
    'secret-file': text('file', 'the secret of the client'),
    audience: text(
      'id',
      'what a delegation requests: the issuer of the authorization server of a tool server, or an API at the provider',
    ),
    resource: text('url', 'the resource identifier of a tool server'),
    scope: text('scopes', 'the scopes that a delegation requests, separated by spaces'),
    'token-file': text('file', 'the response of a token endpoint to a sign-in, as JSON, or an ID token'),
    'sign-in': flag('sign in with the browser'),
    'show-values': flag('show the values of claims, not only their names'),
  },
  json: 'the report and the settings as JSON',
  examples: [
    { typed: 'legate doctor idp https://idp.example', does: 'Reads the public documents of a provider.' },
    {
      typed: 'legate doctor idp https://idp.example --client-id wlp1 --key keys.json --sign-in',
      does: 'Signs you in as the client of the hub, which has a key.',
    },
    {
      typed:
        'legate doctor idp https://idp.example --client-id hub --secret-file secret --token-file tokens.json --audience https://as.example --resource https://mcp.example/mcp',
      does: 'Also requests an ID-JAG, with the tokens of a sign-in.',
    },
  ],
  async run({ options, args }, context) {
    const issuer = serviceUrl('The issuer', args.issuer, HELP);
    const { resource, key, 'secret-file': secretFile, 'token-file': tokenFile, 'sign-in': signsIn } = options;
    if (key !== undefined && secretFile !== undefined)
      throw usageError('Give either --key or --secret-file.', HELP);
    if (tokenFile !== undefined && signsIn) throw usageError('Give either --token-file or --sign-in.', HELP);
    if (signsIn && options['client-id'] === undefined) throw usageError('--sign-in needs --client-id.', HELP);
    if (resource !== undefined && !URL.canParse(resource))
      throw usageError('--resource must be a URL.', HELP);
    // Imported only here, as in `legate doctor`.
    const { examineIdentityProvider } = await import('../services/provider-examination.ts');
    const { status, value, print } = await examineIdentityProvider(context, {
      ...{ issuer, resource, key, secretFile, tokenFile, signsIn },
      kind: options.kind,
      clientId: options['client-id'],
      audience: options.audience,
      scope: options.scope,
      showsValues: options['show-values'],
    });
    const { out } = context;
    if (out.isJson) out.result(value, () => []);
    else out.raw(print(out));
    return status === 'fail' ? EXIT.fault : EXIT.done;
  },
});
