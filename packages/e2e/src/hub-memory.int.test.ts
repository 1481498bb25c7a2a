import { existsSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { hostile } from '@legate/dev';
import { eventually, needs } from '@legate/testing';
import { APPLICATION, CLIENT_AT_TOOL_SERVERS, type HubUnderTest, startHubs } from './hub-under-test.ts';
import {
  answerInDust,
  answerInterim,
  answersOf4MiB,
  type HeldAnswers,
  patient,
  post,
  postInDust,
  progressWithoutEnd,
  type Reading,
} from './memory-attacks.ts';

/**
 * Tests the built hub with a heap of 512 MB, and peers and callers that try to exhaust it. During each attack it stays
 * below 600 MB, and keeps serving a user of another organization.
 */

const { it } = needs('night');
const MAX_MEMORY_MB = 600;
const ATTACKERS = ['org_a', 'org_b', 'org_c', 'org_d', 'org_e'];
const NEIGHBOUR = 'org_neighbour';

const ledger = hostile.createLedger();
const large = answersOf4MiB();
const unread = answersOf4MiB();
const held = patient();
const toolServers = new Map<string, hostile.HostileToolServer>();
let idp: hostile.HostileIdentityProvider;
let hub: HubUnderTest;
let neighbour: string;

beforeAll(async () => {
  idp = await hostile.startHostileIdentityProvider({ clientIdAtToolServers: CLIENT_AT_TOOL_SERVERS, ledger });
  const lies = {
    honest: {},
    dust: { mcp: answerInDust },
    interim: { mcp: answerInterim },
    progress: { mcp: progressWithoutEnd },
    large: { mcp: large.answer },
    unread: { mcp: unread.answer },
    patient: { mcp: held.answer },
  };
  for (const [name, lie] of Object.entries(lies))
    toolServers.set(name, await hostile.startHostileToolServer({ name, ledger, lie }));
  [hub] = (await startHubs({
    ...{ count: 1, idp, toolServers, ledger, organizations: [...ATTACKERS, NEIGHBOUR] },
    env: {
      ...{ LOG_LEVEL: 'info', NODE_OPTIONS: '--max-old-space-size=512' },
      REQUESTS_PER_MINUTE: '10000', // the limit is high for the neighbour, because this tests memory
    },
  })) as [HubUnderTest];
  neighbour = await signIn('neighbour', NEIGHBOUR);
});

afterAll(async () => {
  await hub?.stop();
  await idp?.stop();
  for (const server of toolServers.values()) await server.stop();
});

const signIn = (id: string, organizationId: string) => idp.signIn({ id, organizationId }, APPLICATION);

/** One user per attacking organization, repeated until there are enough */
const attackers = (count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, (_, i) => signIn(`user_${i}`, ATTACKERS[i % ATTACKERS.length] ?? '')),
  );

const callUrl = (connector: string) => `${hub.url}/api/v1/connectors/${connector}/tools/whoami/call`;
const call = (connector: string, idToken: string, isRead = true) =>
  post(callUrl(connector), idToken, { arguments: {} }, { isRead });

function askAsAgent(connector: string, idToken: string, progressToken: string, isRead: boolean) {
  const params = { name: 'whoami', arguments: {}, _meta: { progressToken } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const headers = {
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2025-11-25',
  };
  return post(`${hub.url}/mcp/${connector}`, idToken, message, { headers, isRead });
}

let isUnderAttack: boolean;
let served: Promise<number[]>;

/** Calls repeatedly, from before each attack until after it. */
async function callAsNeighbour(): Promise<number[]> {
  const statuses: number[] = [];
  do {
    statuses.push((await call('honest', neighbour)).status);
    await new Promise((resolve) => setTimeout(resolve, 20)); // leaves the processor to the attack
  } while (isUnderAttack);
  return statuses;
}

beforeEach(() => {
  isUnderAttack = true;
  served = callAsNeighbour();
});

afterEach(async () => {
  isUnderAttack = false;
  const statuses = await served;
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await call('honest', neighbour)).status).toBe(200);
  expect(peakMegabytes()).toBeLessThan(MAX_MEMORY_MB);
});

const STATUS = () => `/proc/${hub.pid}/status`;

/** Returns the peak on Linux, and 0 elsewhere, where only a crash would be noticed. */
function peakMegabytes(): number {
  if (!existsSync(STATUS())) return 0;
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(STATUS(), 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

it('refuses a progress token of 900 KB, which it would have to repeat in each event', async () => {
  const [agent = ''] = await attackers(1);
  expect((await askAsAgent('progress', agent, 'x'.repeat(900_000), true)).status).toBe(400);
});

it('buffers little for agents that do not read, however much progress is sent', async () => {
  const agents = await attackers(20);
  const answers = await Promise.all(
    agents.map((agent) => askAsAgent('progress', agent, 'p'.repeat(256), false)),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

it('aborts a response in chunks of one byte', async () => {
  const callers = await attackers(3);
  const answers = await Promise.all(callers.map((caller) => call('dust', caller)));
  expect(answers.map(({ status }) => status)).toEqual([502, 502, 502]);
});

it('aborts a request to a tool server that sends endless interim responses', async () => {
  const [caller = ''] = await attackers(1);
  expect((await call('interim', caller)).status).toBe(502);
});

it('refuses bodies that are sent in chunks of one byte', async () => {
  const callers = await attackers(8);
  const statuses = await Promise.all(callers.map((caller) => postInDust(callUrl('honest'), caller)));
  for (const status of statuses) expect([413, undefined]).toContain(status);
});

it('serves or refuses bodies that are thirty times as large once they are parsed', async () => {
  const callers = await attackers(30);
  const body = `{"arguments":{"a":[${'[],'.repeat(250_000)}[]]}}`;
  const answers = callers.map((caller) => post(callUrl('patient'), caller, body));
  for (const outcome of await outcomesOf(answers, held))
    expect(outcome).toMatch(/^(200|503, again after \d+ s)$/);
});

const outcomeOf = ({ status, retryAfter }: Reading): string =>
  retryAfter === undefined ? `${status}` : `${status}, again after ${retryAfter} s`;

/** Releases the tool server when each request is waiting there, or got a response from the hub itself. */
async function outcomesOf(requests: Promise<Reading>[], at: HeldAnswers): Promise<string[]> {
  const answers: string[] = [];
  const all = requests.map(async (each) => answers.push(outcomeOf(await each)));
  const areSettled = () => at.waiting() + answers.length >= requests.length;
  await eventually('each request to wait or be answered', areSettled);
  at.release();
  await Promise.all(all);
  return answers;
}

it('serves or refuses 200 concurrent responses of 4 MiB', async () => {
  const callers = await attackers(40);
  // Five calls of each user: the first one obtains the token, before the memory is used up.
  const answers = Array.from({ length: 5 }, () => callers)
    .flat()
    .map((caller) => call('large', caller));
  const outcomes = await outcomesOf(answers, large);
  for (const outcome of outcomes) expect(outcome).toMatch(/^(200|503, again after \d+ s)$/);
  expect(outcomes).toContain('200');
});

it('keeps no more than the shares of clients that do not read their responses', async () => {
  const callers = await attackers(60);
  const answers = callers.map((caller) => call('unread', caller, false));
  const outcomes = await outcomesOf(answers, unread);
  for (const outcome of outcomes) expect(outcome).toMatch(/^(200|503, again after \d+ s)$/);
});
