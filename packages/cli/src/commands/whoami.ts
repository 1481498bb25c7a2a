import { type ExplainedToken, explainToken } from '@legate/jwt/claims';
import { CliError } from '../command-line/cli-error.ts';
import { defineCommand, flag } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { type Address, addressText } from '../identity/addresses.ts';
import { findIdentity } from '../identity/identity.ts';
import { HUB_OPTIONS, openHub } from '../services/hub.ts';
import { openManagementApi } from '../services/management-api.ts';
import { fields } from '../terminal/table.ts';
import { relativeTime, timeText } from '../terminal/time.ts';

export const whoami = defineCommand({
  name: 'whoami',
  summary: 'Shows the identity and the addresses that commands use',
  description: [
    'Without options it reads your ID token, and asks neither the hub nor the management API. It shows the addresses of the hub and the management API, and what set each of them. `--hub` asks whether the hub accepts you, `--api` asks the management API. A token in `LEGATE_TOKEN` that is not a JWT, such as an API key, has no claims: it is always sent to the management API, which names its owner.',
  ],
  arguments: [],
  options: {
    hub: flag('ask the hub, too'),
    api: flag('ask the management API, too'),
    ...HUB_OPTIONS,
  },
  json: 'the same as JSON',
  examples: [
    { typed: 'legate whoami', does: 'Shows the claims of your ID token.' },
    {
      typed: 'legate whoami --hub --api',
      does: 'Asks both services whether they accept you, and as which user.',
    },
  ],
  async run({ options }, context) {
    const { out, io } = context;
    const identity = await findIdentity(context, options);
    const quiet = { ...context, out: { ...out, note: () => {} } }; // the user that we act as has been printed already
    const claims = read(await identity.idToken());
    // Only its service can read a token that is not a JWT, such as an API key.
    const asksApi = options.api || claims === undefined;
    const [atHub, hubFault] = options.hub ? await orFault(askHub) : [];
    const [atApi, apiFault] = asksApi ? await orFault(askApi) : [];
    const fault = hubFault ?? apiFault;
    if (fault && out.isJson) throw fault;

    const value = {
      source: identity.source,
      ...claims,
      addresses: { hub: identity.addresses.hub ?? null, api: identity.addresses.api ?? null },
      ...(atHub && { hub: atHub }),
      ...(atApi && { api: atApi }),
    };
    out.result(value, () =>
      fields([
        ['user', claims && (claims.email === null ? claims.user_id : `${claims.email} (${claims.user_id})`)],
        ['name', claims?.name ?? undefined],
        ['organization', claims && organizationText(claims)],
        ['roles', claims && (claims.roles.join(', ') || 'none')],
        ['expires', claims && expiryText(claims.expires_at, io.clock())],
        ['issuer', claims?.issuer ?? undefined],
        ['token', SOURCES[identity.source]],
        ['hub', addressOrNone(identity.addresses.hub, 'LEGATE_HUB')],
        ['API', addressOrNone(identity.addresses.api, 'LEGATE_API')],
        ['at the hub', hubFault?.message ?? (atHub && `accepted, connectors: ${atHub.connectors}`)],
        ['at the API', apiFault?.message ?? (atApi && apiText(atApi))],
      ]),
    );
    if (fault) throw fault;
    return EXIT.done;

    async function askHub() {
      const { request } = await openHub(quiet, options);
      const list = Object(await request('/api/v1/connectors?limit=1', 'GET'));
      return { accepted: true, connectors: Number(Object(list.pagination).total) };
    }
    async function askApi() {
      const { client, read: answerOf } = await openManagementApi(quiet, options);
      return answerOf(await client.GET('/me'));
    }
  },
});

/** Returns the answer of a service, or why there is none, so that one service does not hide the other. */
async function orFault<Answer>(ask: () => Promise<Answer>): Promise<[Answer] | [undefined, CliError]> {
  try {
    return [await ask()];
  } catch (err) {
    if (err instanceof CliError) return [undefined, err];
    throw err;
  }
}

const SOURCES = {
  environment: 'LEGATE_TOKEN',
  development: 'issued by the development identity provider',
  profile: 'of the profile',
} as const;

const addressOrNone = (address: Address | undefined, variable: string): string =>
  address ? addressText(address) : `not set: neither in the profile nor in ${variable}`;

/** Reads an ID token, without verifying it. */
function read(token: string) {
  let claims: ExplainedToken['claims'];
  try {
    ({ claims } = explainToken(token));
  } catch {
    return undefined;
  }
  const claim = (wanted: string) => claims.find(({ name }) => name === wanted);
  const textClaim = (name: string): string | null => {
    const value = claim(name)?.value;
    return typeof value === 'string' ? value : null;
  };
  const roles = claim('roles')?.value;
  const organizationClaim = ORGANIZATION_CLAIMS.find((name) => textClaim(name) !== null);
  return {
    user_id: textClaim('sub') ?? '?',
    email: textClaim('email'),
    name: textClaim('name'),
    organization_id: organizationClaim === undefined ? null : textClaim(organizationClaim),
    organization_claim: organizationClaim ?? null,
    roles: Array.isArray(roles) ? roles.map(String) : [],
    issuer: textClaim('iss'),
    expires_at: claim('exp')?.time?.toISOString() ?? null,
  };
}

/** Claims in which providers put the organization. The hub's settings decide which one counts. */
const ORGANIZATION_CLAIMS = ['organization_id', 'org_id', 'tid', 'hd', 'org'];

function organizationText(claims: {
  readonly organization_id: string | null;
  readonly organization_claim: string | null;
}): string {
  if (claims.organization_id === null) return 'none: the ID token does not name an organization';
  const { organization_claim: name } = claims;
  return name === 'organization_id' ? claims.organization_id : `${claims.organization_id} (claim ${name})`;
}

function expiryText(expiresAt: string | null, now: Date): string {
  if (expiresAt === null) return 'the token does not say';
  const time = new Date(expiresAt);
  return `${relativeTime(time, now)} (${timeText(time)})`;
}

function apiText({
  user,
  organization,
  role,
}: {
  readonly user: { readonly email: string | null; readonly id: string };
  readonly organization: { readonly name: string } | null;
  readonly role: string | null;
}): string {
  return `${user.email ?? user.id}, ${role ?? 'no role'} of ${organization?.name ?? 'no organization'}`;
}
