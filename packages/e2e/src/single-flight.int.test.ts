import { afterAll, beforeAll, expect } from '@jest/globals';
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

const { it, path } = needs('night', 'Redis');
const CALLERS = 50;

const ledger = hostile.createLedger();
let idp: hostile.HostileIdentityProvider;
let toolServer: hostile.HostileToolServer;
let hubs: HubUnderTest[];
let redis: Awaited<ReturnType<typeof openRedis>>;

beforeAll(async () => {
  idp = await hostile.startHostileIdentityProvider({ clientIdAtToolServers: CLIENT_AT_TOOL_SERVERS, ledger });
  toolServer = await hostile.startHostileToolServer({ name: 'mail', ledger });
  const toolServers = new Map([['mail', toolServer]]);
  redis = await openRedis(path.Redis);
  hubs = await startHubs({ count: 2, idp, toolServers, ledger, redisUrl: redis.url });
  // Nobody waits longer than three seconds for another process, so each must have read its peers' metadata before.
  for (const hub of hubs) expect(await call(hub, await signIn(`user_of_${hub.pid}`))).toMatch(/^user_of_/);
});
afterAll(async () => {
  for (const hub of hubs ?? []) await hub.stop();
  await toolServer?.stop();
  await idp?.stop();
  await redis?.remove();
});

const signIn = (id: string) => idp.signIn({ id, organizationId: ORGANIZATION }, APPLICATION);

async function call({ url }: HubUnderTest, idToken: string): Promise<unknown> {
  const { answer } = await exchange(
    'POST',
    `${url}/api/v1/connectors/mail/tools/whoami/call`,
    { json: {} },
    { Authorization: `Bearer ${idToken}` },
  );
  return member(answer, 'structuredContent', 'subject') ?? member(answer, 'code');
}

const callEverywhere = (idToken: string) =>
  Promise.all(hubs.flatMap((hub) => Array.from({ length: CALLERS }, () => call(hub, idToken))));

it('exchange once for all concurrent callers, whichever process they call', async () => {
  const before = idp.exchanges;
  const answers = await callEverywhere(await signIn('user_alice'));
  expect([new Set(answers), answers.length]).toEqual([new Set(['user_alice']), hubs.length * CALLERS]);
  expect(idp.exchanges - before).toBe(1);
});

it('share a refusal with all waiting callers, and with no later one', async () => {
  const bob = await signIn('user_bob');
  idp.lie = {
    token: (_req, res) =>
      void res.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"access_denied"}'),
  };
  expect(new Set(await callEverywhere(bob))).toEqual(new Set(['delegation_denied']));
  idp.lie = {};
  expect(new Set(await callEverywhere(bob))).toEqual(new Set(['user_bob']));
});

it('are not blocked by a process that dies during the exchange', async () => {
  const [first, second] = hubs;
  if (!first || !second) return; // there is no other process
  const carol = await signIn('user_carol');
  let arrived = () => {};
  const isExchanging = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  idp.lie = { token: () => arrived() }; // never responds
  const lost = call(first, carol).catch(() => 'lost');
  await isExchanging;
  process.kill(first.pid, 'SIGKILL');
  expect(await lost).toBe('lost');
  idp.lie = {};
  const startedAt = performance.now();
  expect(await call(second, carol)).toBe('user_carol');
  expect(performance.now() - startedAt).toBeLessThan(12_000); // three seconds of waiting, and the call itself
});
