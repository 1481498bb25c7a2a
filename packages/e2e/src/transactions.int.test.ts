import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { createLegs, exchange, type Legs, member, scene, signIn, text } from '@legate/dev';
import { eventually, needs } from '@legate/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { createMovedClock, type MovedClock } from './moved-clock.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { freeServicePorts, type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

/**
 * Tests agents of several users that list sites; the tool server fetches them with transaction tokens, which are then
 * stolen.
 */

const { describe, it } = needs('time');
type User = keyof typeof scene.USERS;

let stack: StackUnderTest;
let legs: Legs;
/** The proxy between the tool server and the management API */
let wire: RecordingProxy;
let clock: MovedClock;
const idTokens = new Map<User, string>();
const sites = new Map<User, string>();
const clients: Client[] = [];

beforeAll(async () => {
  clock = await createMovedClock();
  const ports = await freeServicePorts();
  wire = await startRecordingProxy({ host: '127.0.0.1', port: ports['management-api'] });
  stack = await startStackUnderTest({
    ports,
    env: {
      'reference-mcp-server': { CONNECT_TO: `localhost:${ports['management-api']}=${wire.address}` },
      'management-api': clock.env,
    },
  });
  legs = createLegs(stack.urls);
  const resource = stack.urls['management-api'];
  for (const user of ['alice', 'bob', 'carol', 'dave'] as const) {
    const { email } = scene.USERS[user];
    idTokens.set(user, (await signIn({ issuer: stack.urls['mock-idp'], email })).idToken);
  }
  for (const user of ['alice', 'carol'] as const) {
    const { email } = scene.USERS[user];
    const { accessToken } = await signIn({ issuer: stack.urls['mock-idp'], email, resource });
    const created = await exchange(
      'POST',
      `${resource}/api/v1/sites`,
      { json: { name: `Site of ${user}` } },
      { Authorization: `Bearer ${accessToken}` },
    );
    sites.set(user, text(created.answer, 'id'));
  }
});

afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
afterAll(async () => {
  await stack?.stop();
  await wire?.close();
  await clock?.remove();
});

const idTokenOf = (user: User): string => idTokens.get(user) ?? '';

async function signOutAndIn(user: User): Promise<void> {
  await legs.signOutOfHub(idTokenOf(user));
  const { email } = scene.USERS[user];
  idTokens.set(user, (await signIn({ issuer: stack.urls['mock-idp'], email })).idToken);
}
const siteOf = (user: User): string => sites.get(user) ?? '';

/** The official client as the agent of a user, at the hub's `/mcp`. */
async function agentOf(user: User): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' });
  clients.push(client);
  const url = new URL(`${stack.urls['tool-hub']}/mcp`);
  await client.connect(
    new StreamableHTTPClientTransport(url, { authProvider: { token: async () => idTokenOf(user) } }),
  );
  return client;
}

async function call(user: User, tool: string, args: Record<string, unknown> = {}) {
  return (await agentOf(user)).callTool({ name: scene.toolAtMcp(tool), arguments: args });
}
const namesIn = (content: unknown): unknown =>
  (member(content, 'data') as { name: string }[] | undefined)?.map(({ name }) => name);

describe('the agent of', () => {
  it('Alice lists the sites of the organization, page by page, and gets one of them', async () => {
    const listed = await call('alice', 'list_sites');
    expect([listed.isError ?? false, namesIn(listed.structuredContent)]).toEqual([false, ['Site of alice']]);
    const page = await call('alice', 'list_sites', { limit: 1, offset: 1 });
    expect(page.structuredContent).toMatchObject({ data: [], pagination: { total: 1, limit: 1, offset: 1 } });
    const one = await call('alice', 'get_site', { id: siteOf('alice') });
    expect(one.structuredContent).toMatchObject({ id: siteOf('alice'), name: 'Site of alice' });
  });

  it('Carol sees the sites of Globex, and none of Acme', async () => {
    expect(namesIn((await call('carol', 'list_sites')).structuredContent)).toEqual(['Site of carol']);
    const foreign = await call('carol', 'get_site', { id: siteOf('alice') });
    expect([foreign.isError, JSON.stringify(foreign.content)]).toEqual([
      true,
      expect.stringContaining('Your organization has no such site.'),
    ]);
  });

  it('Bob gets what the role allows: nothing with only read access at the tool server', async () => {
    expect(namesIn((await call('bob', 'list_sites')).structuredContent)).toEqual(['Site of alice']);
    const narrowed = await admin('POST', '/policies', {
      effect: 'narrow',
      match: { groups: ['support'] },
      scopes: ['mcp:tools:read'],
    });
    await signOutAndIn('bob');
    const refused = await call('bob', 'list_sites');
    expect([refused.isError, namesIn(refused.structuredContent)]).toEqual([true, undefined]);
    expect((await call('bob', 'whoami')).structuredContent).toMatchObject({ subject: 'user_bob' });
    expect((await call('alice', 'list_sites')).isError ?? false).toBe(false);

    await admin('DELETE', `/policies/${text(narrowed, 'id')}`);
    await signOutAndIn('bob');
  });

  it('Dave, who has no organization, gets an error for it at every endpoint', async () => {
    await expect(call('dave', 'list_sites')).rejects.toThrow();
    const atHub = await legs.callThroughHub(idTokenOf('dave'), 'list_sites');
    expect([atHub.status, member(atHub.answer, 'code')]).toEqual([401, 'organization_id_required']);
    const atToolServer = await legs.callTool(await accessTokenOf('dave'), 'list_sites');
    expect(JSON.stringify(atToolServer.answer)).toContain('You are signed in without an organization.');
    const asked = await legs.requestTransactionToken(await accessTokenOf('dave'), 'sites:list', {});
    expect([asked.status, member(asked.answer, 'error')]).toEqual([400, 'access_denied']);
  });
});

async function admin(method: string, path: string, json?: object): Promise<unknown> {
  const headers = { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}` };
  const { status, answer } = await exchange(
    method,
    `${stack.urls['mock-idp']}/admin${path}`,
    json ? { json } : {},
    headers,
  );
  if (status > 299) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}

/** The access token that the hub would cache for a user. */
async function accessTokenOf(user: User): Promise<string> {
  const exchanged = await legs.exchangeIdToken(idTokenOf(user));
  const redeemed = await legs.redeemAssertion(text(exchanged.answer, 'access_token'));
  return text(redeemed.answer, 'access_token');
}

async function txnTokenOf(
  user: User,
  scope = 'sites:list',
  details: Record<string, string> = {},
): Promise<string> {
  const asked = await legs.requestTransactionToken(await accessTokenOf(user), scope, details);
  return text(asked.answer, 'access_token');
}

async function workloadToken(client: { id: string; secret: string }, scope: string): Promise<string> {
  return text((await legs.requestWorkloadToken(client, scope)).answer, 'access_token');
}
const toolServerToken = () => workloadToken(scene.IDP_CLIENTS.toolServer, 'internal:transactions');

const outcome = ({ status, answer }: { status: number; answer: unknown }) => [status, member(answer, 'code')];

/** Returns the last transaction token sent to the management API, and the bearer token next to it. */
async function steal(user: User): Promise<{ txnToken: string; bearer: string }> {
  const before = wire.seen().length;
  await call(user, 'list_sites');
  const seen = wire.seen().slice(before);
  const txnToken = /"txn-token","([^"]+)"/i.exec(seen)?.[1];
  const bearer = /"Bearer ([^"]+)"/.exec(seen)?.[1];
  if (!txnToken || !bearer) throw new Error('no transaction went over the wire');
  return { txnToken, bearer };
}

describe('a transaction token', () => {
  it('is for one operation at one service, for a minute, and names its user and workload', async () => {
    const { txnToken, bearer } = await steal('alice');
    const claims = decodeJwt(txnToken);
    expect(decodeProtectedHeader(txnToken)).toMatchObject({ typ: 'txntoken+jwt', alg: 'ES256' });
    expect(claims).toMatchObject({
      iss: stack.urls['tool-hub'],
      aud: stack.urls['management-api'],
      sub: 'user_alice',
      scope: 'sites:list',
      req_wl: 'reference-mcp-server',
      tctx: { organization_id: 'org_acme', limit: 20, offset: 0 },
      rctx: { client_id: 'tool-hub' },
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(60);
    expect(decodeJwt(bearer)).toMatchObject({
      sub: 'reference-mcp-server',
      aud: stack.urls['management-api'],
    });
  });

  it('is new for each call', async () => {
    const [first, second] = [await steal('alice'), await steal('alice')];
    expect(decodeJwt(first.txnToken).txn).not.toBe(decodeJwt(second.txnToken).txn);
  });

  it('works once, and a replay of the whole recorded request is refused', async () => {
    const { txnToken, bearer } = await steal('alice');
    expect(outcome(await legs.callApiFor(txnToken, '/sites?limit=20&offset=0', bearer))).toEqual([
      403,
      'transaction_used',
    ]);
  });

  it.each([
    ['another operation', '/sites/{alice}', 'GET'],
    ['another page', '/sites?limit=100&offset=0', 'GET'],
    ['a filter', '/sites?limit=20&offset=0&search=x', 'GET'],
    ['creating a site', '/sites', 'POST'],
    ['deleting a site', '/sites/{alice}', 'DELETE'],
    ['the organization', '/organization', 'GET'],
    ['the members', '/members', 'GET'],
    ['the caller', '/me', 'GET'],
  ])('is refused for %s', async (_case, path, method) => {
    const { txnToken, bearer } = await steal('alice');
    const answer = await legs.callApiFor(txnToken, path.replace('{alice}', siteOf('alice')), bearer, method);
    expect(outcome(answer)).toEqual([403, 'transaction_mismatch']);
  });

  it('is refused for another site, and finds none of another organization', async () => {
    const bearer = await toolServerToken();
    const forOwn = await txnTokenOf('alice', 'sites:get', { site_id: siteOf('alice') });
    expect(outcome(await legs.callApiFor(forOwn, `/sites/${siteOf('carol')}`, bearer))).toEqual([
      403,
      'transaction_mismatch',
    ]);
    const forForeign = await txnTokenOf('alice', 'sites:get', { site_id: siteOf('carol') });
    expect(outcome(await legs.callApiFor(forForeign, `/sites/${siteOf('carol')}`, bearer))).toEqual([
      404,
      'not_found',
    ]);
    expect((await legs.callApiFor(forOwn, `/sites/${siteOf('alice')}`, bearer)).status).toBe(200);
  });

  it("is refused without the workload's token, or with another workload's", async () => {
    const txnToken = await txnTokenOf('alice');
    const hub = await workloadToken(scene.IDP_CLIENTS.hub, 'internal:connectors');
    const user = await signIn({
      issuer: stack.urls['mock-idp'],
      email: scene.USERS.alice.email,
      resource: stack.urls['management-api'],
    });
    expect(outcome(await legs.callApiFor(txnToken, '/sites', undefined))).toEqual([401, 'token_missing']);
    expect(outcome(await legs.callApiFor(txnToken, '/sites', hub))).toEqual([403, 'insufficient_permission']);
    expect(outcome(await legs.callApiFor(txnToken, '/sites', user.accessToken))).toEqual([
      403,
      'workload_required',
    ]);
    expect(outcome(await legs.callApiFor(txnToken, '/sites', txnToken))).toEqual([401, 'token_invalid']);
    expect((await legs.callApiFor(txnToken, '/sites', await toolServerToken())).status).toBe(200);
  });

  it('is not accepted as a bearer token, nor as the subject of another exchange', async () => {
    const txnToken = await txnTokenOf('alice');
    const bearer = { Authorization: `Bearer ${txnToken}` };
    const { urls } = stack;
    const gets = [
      `${urls['management-api']}/api/v1/sites`,
      `${urls['tool-hub']}/api/v1/connectors`,
      `${urls['mock-idp']}/userinfo`,
    ];
    for (const url of gets)
      expect([url, (await exchange('GET', url, {}, bearer)).status]).toEqual([url, 401]);
    for (const url of [`${urls['tool-hub']}/mcp`, `${urls['reference-mcp-server']}/mcp`]) {
      expect([url, (await exchange('POST', url, { json: {} }, bearer)).status]).toEqual([url, 401]);
    }
    expect((await legs.exchangeIdToken(txnToken)).status).toBe(400);
    expect((await legs.redeemAssertion(txnToken)).status).toBe(400);
    expect((await legs.requestTransactionToken(txnToken, 'sites:list', {})).status).toBe(400);
  });

  it('is not issued for an access token from before a sign-out, though the tool server accepts it', async () => {
    const ask = async (accessToken: string) => {
      const { status, answer } = await legs.requestTransactionToken(accessToken, 'sites:list', {});
      return [status, member(answer, 'error')];
    };
    const before = await accessTokenOf('bob');
    expect(await ask(before)).toEqual([200, undefined]);
    // A sign-out ends tokens that were issued in an earlier second.
    const nextSecond = Number(decodeJwt(before).iat) + 1;
    await eventually(`second ${nextSecond}`, () => Date.now() / 1000 >= nextSecond);
    await signOutAndIn('bob');
    expect(await ask(before)).toEqual([400, 'access_denied']);
    expect((await legs.callTool(before, 'whoami')).status).toBe(200);
    expect(await ask(await accessTokenOf('bob'))).toEqual([200, undefined]);
  });

  it('expires after a minute', async () => {
    const txnToken = await txnTokenOf('alice');
    await clock.advance(66, stack, 'management-api');
    expect(outcome(await legs.callApiFor(txnToken, '/sites', await toolServerToken()))).toEqual([
      401,
      'transaction_token_expired',
    ]);
  });
});

it('leaves no transaction token in any log', async () => {
  for (const service of ['mock-idp', 'reference-mcp-server', 'management-api', 'tool-hub'] as const) {
    expect(await stack.readLog(service)).not.toMatch(/eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\./);
  }
});
