import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isHttpUrl } from '@legate/doctor';
import { exchange } from '../demo/http.ts';
import { IDP_CLIENTS, USERS } from '../scene/scene.ts';
import { portsFrom, type ServiceUrls, urlsOf } from '../stack/services.ts';
import { AS_IDP_ADMIN, askStack, reasonOf } from './ask.ts';
import { developmentTokens } from './development-tokens.ts';
import { examineConnector } from './examine-connector.ts';
import { putConnector, type Registered } from './put-connector.ts';
import { readMetadata } from './read-metadata.ts';

const HELP = `npm run register -- <url> [--user <email>] [--claims <names>]

Registers a tool server, which must be running, in the stack of npm start: the identity provider lets the hub act for users
there, and the organization of the user, by default Alice's, gets a connector. If both exist, they get the secret, and the
scopes of the tool server's metadata. HUB_SECRET is the secret of the client tool-hub at the tool server. At the end the hub
examines the connector as the user; a fault is printed with its remedy.

  --claims email,name,groups,roles   what the tool server learns about users besides their id: some of these, or nothing
`;

/**
 * `npm run register -- <url>`
 * @returns the exit code
 */
export async function register(
  env: NodeJS.ProcessEnv,
  stdout: NodeJS.WriteStream,
  args: readonly string[],
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      user: { type: 'string', default: USERS.alice.email },
      claims: { type: 'string', default: '' },
    },
  });
  const [url] = positionals;
  if (values.help) {
    stdout.write(HELP);
    return 0;
  }
  if (url === undefined || !isHttpUrl(url)) throw new Error('npm run register -- <url of the tool server>');
  if (!env.HUB_SECRET)
    throw new Error('HUB_SECRET is not set: the secret of the client tool-hub at the tool server');
  const urls = urlsOf(portsFrom(env));
  const { id, slug, isNew, idToken } = await registerToolServer(urls, url, {
    secret: env.HUB_SECRET,
    user: values.user,
    claims: values.claims.split(',').flatMap((name) => name.trim() || []),
  });
  stdout.write(`${id}: its tools are ${slug}_… at the hub, for the organization of ${values.user}.\n`);
  if (!isNew) stdout.write('It was registered before. Its secret and its scopes have been set anew.\n');
  await examineConnector(urls, { id, user: values.user, idToken });
  return 0;
}

/**
 * Registers a tool server for an organization and at the identity provider, as its metadata describes it. A second
 * registration updates the connector, and replaces the first one at the identity provider.
 * @param secret of the hub's client there
 * @param user e-mail address of an administrator of the organization; default: Alice
 * @param claims about the user that the identity provider puts into ID-JAGs for it
 */
export async function registerToolServer(
  urls: ServiceUrls,
  url: string,
  {
    secret,
    user = USERS.alice.email,
    claims = [],
  }: { secret: string; user?: string; claims?: readonly string[] },
): Promise<Registered & { readonly idToken: string }> {
  const { resource, scopes_supported: scopes, resource_name: name } = await readMetadata(url);
  const { idToken, accessToken } = await developmentTokens(urls, user);
  const client = IDP_CLIENTS.hub.id;
  // A URL with a path is treated as the MCP endpoint, unless it is the tool server's resource identifier.
  const isEndpoint = url !== resource && new URL(url).pathname !== '/';
  const api = `${urls['management-api']}/api/v1/connectors`;
  const registered = await putConnector(api, accessToken, {
    resource_url: resource,
    mcp_url: isEndpoint ? url : null,
    name: typeof name === 'string' ? name : new URL(resource).host,
    ...{ client_id: client, secret, scopes },
  });
  const atIdp = await askStack(
    'PUT',
    `${urls['mock-idp']}/admin/resource-servers`,
    { json: { accepts: 'id_jag', resource, scopes, claims, clients: { [client]: { client_id: client } } } },
    AS_IDP_ADMIN,
  );
  if (atIdp.status !== 200)
    throw new Error(`The identity provider does not register ${resource}. ${reasonOf(atIdp)}`);
  if (registered.isNew)
    await untilHubHasIt(`${urls['tool-hub']}/api/v1/connectors/${registered.id}/tools`, idToken);
  return { ...registered, idToken };
}

const MAX_TRIES = 100;
const POLL_MS = 100;

/** Time for the hub to learn of a new connector: it is notified a moment after the creation. */
async function untilHubHasIt(url: string, idToken: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { status } = await exchange('GET', url, {}, { Authorization: `Bearer ${idToken}` });
    if (status !== 404) return;
    await delay(POLL_MS);
  }
  throw new Error('the hub does not know the connector yet; try again in half a minute');
}
