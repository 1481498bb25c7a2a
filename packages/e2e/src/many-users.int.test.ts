import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { exchange, hostile, member } from '@legate/dev';
import { openRedis } from '@legate/secure-store/testing';
import { needs } from '@legate/testing';
import {
  APPLICATION,
  CLIENT_AT_TOOL_SERVERS,
  type HubUnderTest,
  ORGANIZATION,
  startHubs,
} from './hub-under-test.ts';

/**
 * Tests a thousand users of three tool servers, through one hub, and through two hubs on one Redis if available. Each
 * tool returns the subject of its token: another user's subject means that a token crossed users.
 */

const USERS = 1000;
const CONNECTORS = ['mail', 'files', 'orders'] as const;
/** Concurrent calls */
const CONCURRENCY = 32;
const BURST = 200;
const PAIRS = USERS * CONNECTORS.length;

interface User {
  readonly id: string;
  readonly idToken: string;
}

const ledger = hostile.createLedger();
const toolServers = new Map<string, hostile.HostileToolServer>();
const { it, path } = needs('night', 'Redis');
let idp: hostile.HostileIdentityProvider;
let hubs: HubUnderTest[];
let redis: Awaited<ReturnType<typeof openRedis>> | undefined;

beforeAll(async () => {
  idp = await hostile.startHostileIdentityProvider({ clientIdAtToolServers: CLIENT_AT_TOOL_SERVERS, ledger });
  for (const name of CONNECTORS)
    toolServers.set(name, await hostile.startHostileToolServer({ name, ledger }));
});

afterEach(async () => {
  for (const hub of hubs ?? []) await hub.stop();
  hubs = [];
});

afterAll(async () => {
  await idp?.stop();
  for (const server of toolServers.values()) await server.stop();
  await redis?.remove();
});

const start = (count: number, redisUrl: string | undefined) =>
  startHubs({ count, idp, toolServers, ledger, redisUrl, env: { LOG_LEVEL: 'warn' } });

const signInMany = (count: number, prefix: string): Promise<User[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const id = `${prefix}_${number}`;
      return { id, idToken: await idp.signIn({ id, organizationId: ORGANIZATION }, APPLICATION) };
    }),
  );

/** @returns the user that the tool received, and whether the hub had a cached token */
async function call(hub: HubUnderTest | undefined, user: User, connector: string) {
  const { answer, answerHeaders } = await exchange(
    'POST',
    `${hub?.url}/api/v1/connectors/${connector}/tools/whoami/call`,
    { json: { arguments: {} } },
    { Authorization: `Bearer ${user.idToken}` },
  );
  return {
    who: member(answer, 'structuredContent') ?? answer,
    cache: answerHeaders.get('legate-token-cache'),
  };
}

/** Calls every connector as every user, in mixed order, with limited concurrency. */
async function callAll(users: readonly User[], hubOf: (pair: number) => HubUnderTest | undefined) {
  const pairs = CONNECTORS.flatMap((connector) => users.map((user) => ({ connector, user })));
  const result = { answers: 0, misses: 0, crossed: [] as unknown[] };
  const work = async (first: number) => {
    for (let number = first; number < pairs.length; number += CONCURRENCY) {
      const { user, connector } = pairs[number] as (typeof pairs)[number];
      const { who, cache } = await call(hubOf(number), user, connector);
      result.answers += 1;
      if (cache === 'miss') result.misses += 1;
      const expected: hostile.WhoAmI = { subject: user.id, server: connector };
      if (!isDeepStrictEqual(who, expected)) result.crossed.push({ expected, who });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, (_, first) => work(first)));
  return result;
}

/** Makes {@link BURST} concurrent calls of one new user, spread over the hubs. @returns the number of exchanges */
async function burst(): Promise<number> {
  const [newcomer] = (await signInMany(1, 'newcomer')) as [User];
  const before = idp.exchanges;
  const seen = await Promise.all(
    Array.from({ length: BURST }, (_, number) => call(hubs[number % hubs.length], newcomer, 'mail')),
  );
  for (const { who } of seen) expect(who).toEqual({ subject: newcomer.id, server: 'mail' });
  return idp.exchanges - before;
}

it('one hub: no token crosses users, each user and connector cost one exchange, and so do 200 concurrent calls', async () => {
  hubs = await start(1, undefined);
  const users = await signInMany(USERS, 'one');
  const before = idp.exchanges;
  expect(await callAll(users, () => hubs[0])).toEqual({ answers: PAIRS, misses: PAIRS, crossed: [] });
  expect(await callAll(users, () => hubs[0])).toEqual({ answers: PAIRS, misses: 0, crossed: [] });
  expect(idp.exchanges - before).toBe(PAIRS);
  expect(await burst()).toBe(1);
});

it("two hubs on one Redis: each uses the other's tokens, and no token crosses users", async () => {
  redis = await openRedis(path.Redis);
  hubs = await start(2, redis.url);
  const users = await signInMany(USERS, 'two');
  const before = idp.exchanges;
  expect(await callAll(users, (pair) => hubs[pair % 2])).toEqual({
    ...{ answers: PAIRS, misses: PAIRS, crossed: [] },
  });
  expect(idp.exchanges - before).toBe(PAIRS);
  const again = await callAll(users, (pair) => hubs[(pair + 1) % 2]);
  expect(again).toMatchObject({ answers: PAIRS, crossed: [] });
  // Only a write that Redis did not accept within its 250 ms may cost another exchange.
  expect(idp.exchanges - before).toBe(PAIRS + again.misses);
  expect(again.misses).toBeLessThan(PAIRS / 10);
  expect(await burst()).toBeLessThanOrEqual(hubs.length); // each process shares only its own requests
});
