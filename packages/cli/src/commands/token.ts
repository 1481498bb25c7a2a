import { usageError } from '../command-line/cli-error.ts';
import { defineCommand, flag } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { findIdentity } from '../identity/identity.ts';
import { expiresAt } from '../identity/token-times.ts';
import { HUB_OPTIONS, openHub } from '../services/hub.ts';

export const token = defineCommand({
  name: 'token',
  summary: 'Prints one bare token, for scripts',
  description: [
    'By default an ID token for the hub, as an application gets it at sign-in. With `--api`, an access token for the management API. With `--hub`, the handle of a new session at the hub, which an agent can use instead of the ID token: it ends with the ID token, or earlier if it is revoked.',
    'In development the identity provider issues the token without a sign-in. Otherwise it is the token of the profile, renewed if it expires within a minute.',
  ],
  arguments: [],
  options: {
    api: flag('an access token for the management API'),
    hub: flag('the handle of a new session at the hub, bound to --agent if that is given'),
    ...HUB_OPTIONS,
  },
  json: 'the token with its type and expiry, as JSON',
  examples: [
    {
      typed: 'TOKEN=$(legate token --user alice@acme.example)',
      does: 'Stores an ID token of Alice in a variable.',
    },
    {
      typed: 'curl -H "Authorization: Bearer $(legate token --api)" http://localhost:4000/api/v1/me',
      does: 'Asks the management API who you are.',
    },
  ],
  async run({ options }, context) {
    const { api, hub } = options;
    if (api && hub) throw usageError('Use either --api or --hub, not both.', 'legate token --help');
    const [type, value] = await obtain();
    context.out.result({ token: value, type, expires_at: expiresAt(value)?.toISOString() ?? null }, () => [
      value,
    ]);
    return EXIT.done;

    async function obtain(): Promise<readonly [type: string, token: string]> {
      if (hub) return ['session', await openSession()];
      const identity = await findIdentity(context, options);
      return api ? ['access_token', await identity.apiToken()] : ['id_token', await identity.idToken()];
    }

    async function openSession(): Promise<string> {
      const { request } = await openHub(context, options);
      const body = options.agent === undefined ? {} : { agent_id: options.agent };
      const { session } = Object(await request('/api/v1/sessions', 'POST', body));
      return String(session);
    }
  },
});
