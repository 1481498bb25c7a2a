import { afterAll, beforeAll, expect } from '@jest/globals';
import { type Exchange, exchange, hostile, member } from '@legate/dev';
import { eventually, needs } from '@legate/testing';
import { type FakeManagementApi, startFakeManagementApi } from './fake-management-api.ts';
import { APPLICATION, CLIENT_AT_TOOL_SERVERS, type HubUnderTest, startHubs } from './hub-under-test.ts';

/** Tests one built hub with callers that exceed their share: others must not be affected. */

const { it } = needs('night');
/** A tenth of the limit of an organization */
const MAX_CALLS_PER_USER = 50;
const ledger = hostile.createLedger();
/** The server's current behaviour; tests change it while the server runs. */
const lie: { -readonly [Member in keyof hostile.ToolServerLie]: hostile.ToolServerLie[Member] } = {};
let idp: hostile.HostileIdentityProvider;
let toolServer: hostile.HostileToolServer;
let managementApi: FakeManagementApi;
let hub: HubUnderTest;

beforeAll(async () => {
  idp = await hostile.startHostileIdentityProvider({ clientIdAtToolServers: CLIENT_AT_TOOL_SERVERS, ledger });
  toolServer = await hostile.startHostileToolServer({ name: 'tools', ledger, lie });
  managementApi = await startFakeManagementApi({
    clientId: CLIENT_AT_TOOL_SERVERS,
    clientSecret: 'a-secret-at-the-tool-server',
  });
  managementApi.connectors.set('tools', toolServer.url);
  for (const [id, limit] of Object.entries({ org_flood: 100_000, org_modest: 100_000, org_small: 5 }))
    managementApi.organizations.set(id, limit);
  [hub] = (await startHubs({
    ...{ count: 1, idp, toolServers: new Map(), ledger },
    env: {
      ...{ CONNECTORS_FILE: '', MANAGEMENT_API_URL: managementApi.url, LOG_LEVEL: 'warn' },
      ...{ TOOL_CALL_TIMEOUT_SECONDS: '3', SINGLE_ORGANIZATION: 'false' },
    },
  })) as [HubUnderTest];
});

afterAll(async () => {
  await hub?.stop();
  await idp?.stop();
  await toolServer?.stop();
  await managementApi?.stop();
});

const signIn = (id: string, organizationId = 'org_flood') => idp.signIn({ id, organizationId }, APPLICATION);

const call = (idToken: string, connector = 'tools'): Promise<Exchange> =>
  exchange(
    'POST',
    `${hub.url}/api/v1/connectors/${connector}/tools/whoami/call`,
    { json: { arguments: {} } },
    { Authorization: `Bearer ${idToken}` },
  );
const outcomeOf = ({ status, answer }: Exchange) => [status, member(answer, 'code')];
const callIdOf = ({ answerHeaders }: Exchange): string => answerHeaders.get('legate-call-id') ?? '';

it('serves other users at a tool server after nine calls of one user timed out', async () => {
  const [alice, bob] = [await signIn('slow'), await signIn('patient')];
  lie.mcp = hostile.answers.neverAnswer;
  const slow = await Promise.all(Array.from({ length: 9 }, () => call(alice)));
  expect(new Set(slow.map(({ status }) => status))).toEqual(new Set([503]));
  delete lie.mcp;
  expect((await call(bob)).status).toBe(200);
  expect((await call(alice)).status).toBe(200);
});

it('refuses the calls of a user with fifty concurrent ones, and serves another user', async () => {
  const [alice, bob] = [await signIn('busy'), await signIn('calm')];
  await call(alice); // caches Alice's token
  const held: (() => void)[] = [];
  lie.mcp = (_req, res) => void held.push(() => res.writeHead(403).end()); // a success in the view of circuit breakers
  const running = Array.from({ length: MAX_CALLS_PER_USER }, () => call(alice));
  await eventually('all calls arrive', async () => held.length === MAX_CALLS_PER_USER);
  expect(outcomeOf(await call(alice))).toEqual([429, 'concurrency_exceeded']);
  delete lie.mcp;
  expect((await call(bob)).status).toBe(200);
  for (const release of held) release();
  await Promise.all(running);
  expect((await call(alice)).status).toBe(200);
});

it('refuses requests beyond the plan of one organization, shows the limit, and serves another organization', async () => {
  const idToken = await signIn('keen', 'org_small');
  const answers: Exchange[] = [];
  for (let i = 0; i < 6; i += 1) answers.push(await call(idToken));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(answers.map(({ answerHeaders }) => answerHeaders.get('x-ratelimit-remaining'))).toEqual([
    ...['4', '3', '2', '1', '0', '0'],
  ]);
  expect((await call(await signIn('other', 'org_modest'))).status).toBe(200);
});

it('keeps the audit events of granted calls while one organization floods it with refused ones', async () => {
  managementApi.isAway = true;
  const flooders = await Promise.all(Array.from({ length: 30 }, (_, number) => signIn(`flood_${number}`)));
  const flood = async () => {
    for (const idToken of flooders)
      await Promise.all(Array.from({ length: 14 }, () => call(idToken, 'nowhere')));
  };
  const [own, other] = [await signIn('honest'), await signIn('modest', 'org_modest')];
  await flood();
  const granted = [await call(own), await call(other), await call(own), await call(other)];
  await flood();
  granted.push(await call(own), await call(other));
  expect(new Set(granted.map(({ status }) => status))).toEqual(new Set([200]));
  managementApi.isAway = false;
  await eventually('events of granted calls arrive', async () =>
    granted.every((one) => managementApi.events.has(callIdOf(one))),
  );
  const refused = [...managementApi.events.values()].filter(
    ({ details }) => details.rule === 'connector_unknown',
  );
  // Of 840 the first ten of each user in a minute, and their sum; what has no room: `delivery.int.test.ts` of the hub
  expect(refused.length).toBeLessThan(700);
});
