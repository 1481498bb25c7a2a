import { explainToken } from '@legate/jwt/claims';
import { usageError } from '../command-line/cli-error.ts';
import { defineCommand, flag, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { type Address, addressText, serviceUrl } from '../identity/addresses.ts';
import { PROFILE_OPTION } from '../identity/identity.ts';
import { DEFAULT_PROFILE, profilePath, writeProfile } from '../identity/profile-file.ts';
import { completeLoginCommand, loginDefaults } from '../identity/sign-in-again.ts';
import { nextLine } from '../terminal/output.ts';
import { fields } from '../terminal/table.ts';

const PASTE_INSTRUCTIONS =
  'Open the address below on any computer, and sign in. The browser then goes to a page on 127.0.0.1, which it cannot open, or which shows something else: that is expected. Copy the address of that page.';

export const login = defineCommand({
  name: 'login',
  summary: 'Signs in with the browser, and stores the tokens in a profile',
  description: [
    'Register `legate` at the identity provider as a public (native) client with the redirect URI `http://127.0.0.1/callback`, any port, and with refresh tokens. The tokens are kept in a file that only you can read; none is printed.',
    'With `--paste` nothing needs to reach this computer, as over SSH or in a container: open the address anywhere, sign in, and paste the address of the page that the browser then fails to open. The guide “[Sign in without a browser](../how-to/sign-in-without-a-browser.md)” shows each step.',
    'The profile also stores the addresses of the hub and the management API. Without `--hub` and `--api` they are those in `LEGATE_HUB` and `LEGATE_API`. If these are not set and the issuer is on this computer, they are `http://localhost:4001` and `http://localhost:4000`, with the ports in `TOOL_HUB_PORT` and `MANAGEMENT_API_PORT` if those are set; the port of the issuer does not matter. If the issuer is on another computer, they stay unset.',
    'With `--api`, the sign-in includes an access token for the management API (RFC 8707): use the address that is registered at the identity provider.',
  ],
  arguments: [
    { name: 'issuer', summary: 'the identity provider; default: `LEGATE_ISSUER`', isRequired: false },
  ],
  options: {
    'client-id': text('id', 'the client; default for the development identity provider: `frontend-app`'),
    hub: text('url', 'the tool hub, stored in the profile; default: as above'),
    api: text('url', 'the management API, stored in the profile; default: as above'),
    'print-url': flag('print the address instead of opening a browser'),
    paste: flag('the browser is on another computer: paste the address at which it ends'),
    ...PROFILE_OPTION,
  },
  json: 'the profile without its tokens, as JSON',
  examples: [
    { typed: 'legate login http://localhost:4002', does: 'Signs in at the development stack.' },
    {
      typed: 'TOOL_HUB_PORT=7401 MANAGEMENT_API_PORT=7400 legate login http://localhost:7402',
      does: 'Signs in at a development stack on other ports.',
    },
    {
      typed:
        'legate login https://idp.example --client-id legate-cli --hub https://hub.example --api https://api.example',
      does: 'Signs in at the identity provider of a deployment.',
    },
    {
      typed: 'legate login http://localhost:4002 --paste',
      does: 'Signs in with the browser of another computer.',
    },
  ],
  async run({ options, args }, { io, out, typed, next }) {
    const { env } = io;
    const { 'client-id': clientId, 'print-url': printUrl, paste } = options;
    const given = args.issuer ?? env.LEGATE_ISSUER;
    if (!given) throw usageError('The issuer of the identity provider is missing.', 'legate login <issuer>');
    const issuer = serviceUrl('The issuer', given);
    const defaults = loginDefaults(issuer, env);
    const client = clientId ?? defaults.clientId;
    if (!client)
      throw usageError(`The client id at ${issuer} is missing.`, `legate login ${issuer} --client-id <id>`);
    const addressOf = (service: 'hub' | 'api'): Address | undefined => {
      const { [service]: url } = options;
      return url === undefined
        ? defaults[service]
        : { url: serviceUrl(`--${service}`, url), source: `--${service}` };
    };
    const [hub, api] = [addressOf('hub'), addressOf('api')];
    const name = options.profile ?? (env.LEGATE_PROFILE || DEFAULT_PROFILE);
    const path = profilePath(env, name);

    const { signIn } = await import('../login/sign-in.ts');
    const profile = await signIn(
      io,
      {
        issuer,
        clientId: client,
        ...(hub && { hub: hub.url }),
        ...(api && { api: api.url }),
        isPasted: paste,
        again: typed,
        ...(api && { unknownApi: unknownApi(issuer, api, hub) }),
        refusedClient: {
          message: `It does not accept the client ${client}: register one there as a public (native) client, without a secret, with the redirect URI http://127.0.0.1/callback, any port.`,
          next: `legate login ${issuer} --client-id <id>`,
        },
      },
      async (url) => {
        if (paste) return out.note(PASTE_INSTRUCTIONS, url);
        if (printUrl) return out.note('Open this address on this computer:', url);
        if (await io.openBrowser(url))
          return out.note('Sign in with your browser. If none has opened, open this address:', url);
        out.note(
          'There is no browser here that this command can open. Open this address on this computer:',
          url,
          'If your browser is on another computer, press Ctrl-C and type:',
          ['  ', { command: `${typed} --paste` }],
        );
      },
    );
    await writeProfile(path, profile);
    const { claims } = explainToken(profile.idToken);
    const claim = (wanted: string) => claims.find((each) => each.name === wanted);
    const user = String(claim('email')?.value ?? claim('sub')?.value);
    const expires = claim('exp')?.time?.toISOString() ?? null;
    const isRenewed = profile.refreshToken !== undefined;
    out.result(
      {
        profile: name,
        issuer,
        client_id: client,
        hub: profile.hub ?? null,
        api: profile.api ?? null,
        user,
        expires_at: expires,
        is_renewed: isRenewed,
      },
      () => [
        `Signed in as ${user} (profile ${name}).`,
        ...fields([
          ['hub', profile.hub ?? 'none: tools, call, explain and doctor --connector need it'],
          ['management API', profile.api ?? 'none: connectors and audit tail need it'],
        ]),
        isRenewed
          ? 'The sign-in is renewed automatically.'
          : `The sign-in ends at ${expires}: the identity provider issued no refresh token.`,
        ...(hub && api ? [] : [nextLine(next(completeLoginCommand(profile, env)))]),
      ],
    );
    return EXIT.done;
  },
});

/** What to report, and to type next, if the identity provider does not know the management API. */
function unknownApi(issuer: string, api: Address, hub: Address | undefined) {
  // If the development stack is not where the defaults look for its API, its hub is not there either.
  const isHubSet = hub === undefined || /^(--hub|LEGATE_HUB)$/.test(hub.source);
  return {
    message: `It asked for an access token for the management API at ${addressText(api)}.`,
    next: `legate login ${issuer} ${isHubSet ? '' : '--hub <url> '}--api <url>`,
  };
}
