import { randomUUID } from 'node:crypto';
import { PROVIDER_TOOLS, startProviderTools } from '../scene/provider-tools.ts';
import { IDP_ADMIN_KEY, IDP_CLIENTS, USERS } from '../scene/scene.ts';
import { signIn } from '../scene/sign-in.ts';
import { type ImitatedName, kindOf } from '../stack/imitated.ts';
import { type ServiceUrls, stackIssuer } from '../stack/services.ts';
import { DemoFailed, expectStatus } from './expect-status.ts';
import { type Exchange, exchange, member, text } from './http.ts';
import type { Printer } from './printer.ts';

/**
 * Shows a call at a provider without ID-JAGs, which exchanges the access token of the user for one of a tool server
 * that it protects itself, and says what is weaker.
 * @throws {DemoFailed} if a step fails
 */
export async function showExchange(idp: ImitatedName, urls: ServiceUrls, print: Printer): Promise<void> {
  const issuer = stackIssuer(urls, idp);
  const { jwks_uri: jwksUri } = (await readMetadata(issuer)) as { jwks_uri: string };
  const tools = await startProviderTools({ issuer, jwksUri, userClaim: kindOf(idp).accessTokenUserClaim });
  try {
    const handle = await showSignedIn(idp, urls, print);
    print.chapter('2. The provider exchanges that token for one of the tool server');
    print.say(
      `This tool server takes access tokens of the provider (audience ${PROVIDER_TOOLS}). An administrator of the ` +
        'organization has made a connector with token-exchange for it.',
    );
    const audience = audienceOf(idp);
    const connector = await createConnector({ issuer, urls, resource: tools.resource, audience });
    const called = expectStatus(
      await callInSession(urls, { connector, handle }),
      200,
      'call by token-exchange',
    );
    print.exchange(called);
    print.chapter('3. What is weaker than an ID-JAG');
    print.say(
      'The tool server knows Alice, and the provider has decided. But the token can be used more than once, by anybody who ' +
        'has it, at every server that takes this audience; and no agent is named in it. The explanation says so:',
    );
    const id = called.answerHeaders.get('legate-call-id');
    const explained = await exchange(
      'GET',
      `${urls['tool-hub']}/api/v1/calls/${id}/explanation`,
      {},
      { Authorization: `Bearer ${handle}` },
    );
    print.exchange(expectStatus(explained, 200, 'explanation'));
  } finally {
    await tools.close();
  }
}

/** Name of the connector */
const NAME = 'Provider tools';

/** @returns the handle of a session of Alice that keeps the access token of a sign-in */
async function showSignedIn(idp: ImitatedName, urls: ServiceUrls, print: Printer): Promise<string> {
  print.chapter('1. Alice signs in at the client of the hub, and the application opens a session');
  print.say(
    'The provider issues no ID-JAGs. It exchanges access tokens, so the session gets that of the sign-in.',
  );
  const scope = kindOf(idp).subjectScope?.replace('{client_id}', IDP_CLIENTS.hub.id);
  const { idToken, accessToken } = await signIn({
    issuer: stackIssuer(urls, idp),
    email: USERS.alice.email,
    client: IDP_CLIENTS.hub,
    scope: ['openid', ...(scope === undefined ? [] : [scope])].join(' '),
  });
  const opened = await exchange(
    'POST',
    `${urls['tool-hub']}/api/v1/sessions`,
    { json: { access_token: accessToken } },
    { Authorization: `Bearer ${idToken}` },
  );
  print.exchange(expectStatus(opened, 201, 'POST /api/v1/sessions'));
  return text(opened.answer, 'session');
}

const callInSession = (
  urls: ServiceUrls,
  { connector, handle }: { connector: string; handle: string },
): Promise<Exchange> =>
  exchange(
    'POST',
    `${urls['tool-hub']}/api/v1/connectors/${connector}/tools/whoami/call`,
    { json: {} },
    { Authorization: `Bearer ${handle}` },
  );

/** The name by which a token for the tool server is asked for: Entra ID has one that is made of the client's id. */
const audienceOf = (idp: ImitatedName): string =>
  kindOf(idp).exchange === 'on-behalf-of' ? `api://${PROVIDER_TOOLS}` : PROVIDER_TOOLS;

/**
 * Registers the tool server at the provider, and as a connector of Acme.
 * @param options.audience its name in the exchange
 * @returns the connector's id
 */
async function createConnector(options: {
  issuer: string;
  urls: ServiceUrls;
  resource: string;
  audience: string;
}): Promise<string> {
  const { issuer, urls, resource, audience } = options;
  const asIdpAdmin = { Authorization: `Bearer ${IDP_ADMIN_KEY}` };
  const atProvider = (path: string, json: object) =>
    exchange('POST', `${urls['mock-idp']}/admin/${path}`, { json }, asIdpAdmin);
  // At some providers, an audience is a client.
  await atProvider('clients', {
    ...{ client_id: PROVIDER_TOOLS, client_secrets: [randomUUID()], grant_types: ['client_credentials'] },
  });
  await atProvider('resource-servers', {
    ...{ accepts: 'access_token', resource, audience, scopes: ['tools:use'] },
    clients: { [IDP_CLIENTS.hub.id]: {} },
  });
  const minted = await atProvider('access-tokens', {
    ...{ user: USERS.alice.email, client_id: IDP_CLIENTS.frontend.id, resource: urls['management-api'] },
  });
  const asAlice = {
    Authorization: `Bearer ${text(expectStatus(minted, 201, 'token').answer, 'access_token')}`,
  };
  const api = `${urls['management-api']}/api/v1/connectors`;
  const listed = expectStatus(await exchange('GET', `${api}?limit=100`, {}, asAlice), 200, 'connectors');
  for (const known of [member(listed.answer, 'data')].flat())
    if (member(known, 'name') === NAME) await exchange('DELETE', `${api}/${text(known, 'id')}`, {}, asAlice);
  const created = await exchange(
    'POST',
    api,
    {
      json: {
        ...{ name: NAME, auth_method: 'token-exchange', issuer, scopes: ['tools:use'] },
        ...{ resource_url: resource, mcp_url: `${resource}/mcp` },
        ...(audience !== PROVIDER_TOOLS && { token_audience: PROVIDER_TOOLS }),
        ...{ exchange_audience: audience, acknowledge_shared_audience: true, enabled: true },
      },
    },
    asAlice,
  );
  return text(expectStatus(created, 201, 'connector').answer, 'id');
}

async function readMetadata(issuer: string): Promise<object> {
  const { answer } = await exchange(
    'GET',
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    {},
    {},
  );
  if (typeof answer !== 'object' || answer === null) throw new DemoFailed(`no metadata at ${issuer}`);
  return answer;
}
