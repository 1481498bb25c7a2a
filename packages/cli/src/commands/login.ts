import { explainToken } from '@legate/jwt/claims';
import { usageError } from '../command-line/cli-error.ts';
import { defineCommand, flag, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { serviceUrl } from '../identity/addresses.ts';
import { PROFILE_OPTION } from '../identity/identity.ts';
import { DEFAULT_PROFILE, profilePath, writeProfile } from '../identity/profile-file.ts';
import { loginDefaults } from '../identity/sign-in-again.ts';

const PASTE_INSTRUCTIONS =
  'Open the address below on any computer, and sign in. The browser then goes to a page on 127.0.0.1, which it cannot open, or which shows something else: that is expected. Copy the address of that page.';

export const login = defineCommand({
  name: 'login',
  summary: 'Signs in with the browser, and stores the tokens in a profile',
  description: [
    'Register `legate` at the identity provider as a public (native) client with the redirect URI `http://127.0.0.1/callback`, any port, and with refresh tokens. The tokens are kept in a file that only you can read; none is printed.',
    'With `--paste` nothing needs to reach this computer, as over SSH or in a container: open the address anywhere, sign in, and paste the address of the page that the browser then fails to open. [Sign in without a browser](../how-to/sign-in-without-a-browser.md) describes it.',
    'With `--api`, the sign-in includes an access token for the management API (RFC 8707): use the address that is registered at the identity provider.',
  ],
  arguments: [
    { name: 'issuer', summary: 'the identity provider; default: `LEGATE_ISSUER`', isRequired: false },
  ],
  options: {
    'client-id': text('id', 'the client; default for the development identity provider: `frontend-app`'),
    hub: text('url', 'the tool hub, stored in the profile; default: `LEGATE_HUB`'),
    api: text('url', 'the management API, stored in the profile; default: `LEGATE_API`'),
    'print-url': flag('print the address instead of opening a browser'),
    paste: flag('the browser is on another computer: paste the address at which it ends'),
    ...PROFILE_OPTION,
  },
  json: 'the profile without its tokens, as JSON',
  examples: [
    { typed: 'legate login http://localhost:4002', does: 'Signs in at the development stack.' },
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
  async run({ options, args }, { io, out, typed }) {
    const { env } = io;
    const { 'client-id': clientId, 'print-url': printUrl, paste } = options;
    const given = args.issuer ?? env.LEGATE_ISSUER;
    if (!given) throw usageError('The issuer of the identity provider is missing.', 'legate login <issuer>');
    const issuer = serviceUrl('The issuer', given);
    const defaults = loginDefaults(issuer, env);
    const client = clientId ?? defaults.clientId;
    if (!client)
      throw usageError(`The client id at ${issuer} is missing.`, `legate login ${issuer} --client-id <id>`);
    const { hub = defaults.hub?.url, api = defaults.api?.url } = options;
    const name = options.profile ?? (env.LEGATE_PROFILE || DEFAULT_PROFILE);
    const path = profilePath(env, name);

    const { signIn } = await import('../login/sign-in.ts');
    const profile = await signIn(
      io,
      {
        issuer,
        clientId: client,
        ...(hub && { hub: serviceUrl('--hub', hub) }),
        ...(api && { api: serviceUrl('--api', api) }),
        isPasted: paste,
        again: typed,
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
        isRenewed
          ? 'The sign-in is renewed automatically.'
          : `The sign-in ends at ${expires}: the identity provider issued no refresh token.`,
      ],
    );
    return EXIT.done;
  },
});
