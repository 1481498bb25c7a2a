import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createLegs,
  type Exchange,
  exchange,
  type Legs,
  member,
  type ServiceName,
  scene,
  signIn,
  text,
} from '@legate/dev';
import { type RedisClusterProcesses, startRedisCluster } from '@legate/secure-store/testing';
import { eventually, needs } from '@legate/testing';
import { Client } from 'pg';
import { openPostgres } from './postgres-process.ts';
import { type Answered, type Load, startLoad } from './scale-out-load.ts';
import type { Forwarded } from './scale-out-proxy.ts';
import { type ScaledStack, startScaledStack } from './scale-out-stack.ts';

/**
 * Tests two replicas of each service on a cluster of three Redis servers and on PostgreSQL, under a steady load; one
 * replica of each service and then one Redis server are killed.
 */

const { describe, path } = needs('night', 'Redis', 'PostgreSQL');
let postgres: Awaited<ReturnType<typeof openPostgres>>;
/** Time before a kill in which the event of a sent response may not have left the process yet: such events are lost. */
const LAST_WORDS_MS = 50;
/** Nothing may take longer while a Redis server is down: several commands that fail after 250 ms each. */
const BOUND_MS = 5000;

let cluster: RedisClusterProcesses;
let stack: ScaledStack;
let legs: Legs;
let tokens: Parameters<typeof startLoad>[1];
/** Times at which a replica of the service was killed, on the scale of `performance.now()` */
const killedAt = new Map<ServiceName, number>();
const answers: Answered[] = [];

describe('two replicas of each service', () => {
  beforeAll(async () => {
    cluster = await startRedisCluster(path.Redis, { fullCoverage: false });
    postgres = await openPostgres(path.PostgreSQL);
    await postgres.start();
    stack = await startScaledStack({ databaseUrl: postgres.url, redisUrl: cluster.url });
    legs = createLegs(stack.urls);
    const issuer = stack.urls['mock-idp'];
    const idTokenOf = async (email: string) => (await signIn({ issuer, email })).idToken;
    const resource = stack.urls['management-api'];
    const [alice, carol] = [scene.USERS.alice.email, scene.USERS.carol.email];
    const { accessToken } = await signIn({ issuer, email: alice, resource });
    tokens = {
      api: accessToken,
      signingOut: [mintFor(await createUser('erin')), mintFor(await createUser('frank'))],
      staying: [await idTokenOf(alice)],
      agents: [await idTokenOf(carol), await idTokenOf(await createUser('grace'))],
    };
  });

  afterAll(async () => {
    await stack?.stop();
    await cluster?.remove();
    await postgres?.remove();
  });

  it('redeem an ID-JAG and a transaction token once, whichever of them get the requests', async () => {
    const servers = stack.replicas['reference-mcp-server'].map(({ url }) =>
      legsAt('reference-mcp-server', url),
    );
    await inRounds(5, async () => {
      const idJag = await freshIdJag();
      const redemptions = await Promise.all(servers.map((at) => at.redeemAssertion(idJag)));
      if (redemptions.some(isOutage)) return false;
      expect(redemptions.map(({ status }) => status).sort()).toEqual([200, 400]);
      for (const at of servers)
        expect(outcome(await decided(() => at.redeemAssertion(idJag)))).toEqual([400, 'invalid_grant']);
      return true;
    });
    const apis = stack.replicas['management-api'].map(({ url }) => legsAt('management-api', url));
    const workload = await legs.requestWorkloadToken(scene.IDP_CLIENTS.toolServer, 'internal:transactions');
    const bearer = text(workload.answer, 'access_token');
    await inRounds(5, async () => {
      const accessToken = text((await legs.redeemAssertion(await freshIdJag())).answer, 'access_token');
      const asked = await legs.requestTransactionToken(accessToken, 'sites:list', {});
      const txnToken = text(asked.answer, 'access_token');
      const uses = await Promise.all(apis.map((at) => at.callApiFor(txnToken, '/sites', bearer)));
      if (uses.some(isOutage)) return false;
      expect(uses.map(({ status }) => status).sort()).toEqual([200, 403]);
      for (const at of apis) {
        const again = await decided(() => at.callApiFor(txnToken, '/sites', bearer));
        expect(member(again.answer, 'code')).toBe('transaction_used');
      }
      return true;
    });
  });

  it('fail no requests except those running at a killed replica', async () => {
    const load = startLoad(stack, tokens);
    try {
      await load.untilMore(12);
      for (const service of ['mock-idp', 'reference-mcp-server', 'management-api', 'tool-hub'] as const) {
        await stack.replicas[service][0].kill();
        killedAt.set(service, performance.now());
        await load.untilMore(12);
      }
    } finally {
      await load.stop();
      answers.push(...load.answers);
    }
    const cut = Object.values(stack.proxies).flatMap(({ forwarded }) =>
      forwarded.filter(({ status }) => status === undefined),
    );
    expect(cut.filter(({ replica }) => replica !== 0).map(describeRequest)).toEqual([]);
    const failed = load.answers.filter(({ succeeded }) => !succeeded);
    const lost = cut.filter(isNotRepeatable).map(describeRequest);
    // Each of these may have cost one request of a client, or none where it was not for a client.
    const allowed = lost.length + (await countStoreTimeouts());
    if (failed.length > allowed) {
      process.stderr.write(`${(await stack.readLogs()).slice(-40_000)}\n`); // they are gone with the services
      expect({ failed, lost }).toEqual({ failed: [], lost });
    }
  });

  it('lose no audit event, and deliver none twice', async () => {
    const hubKilledAt = killedAt.get('tool-hub') ?? 0;
    const certain = answers.filter(
      ({ callId, servedBy, endedAt }) =>
        callId !== undefined && !(servedBy === 0 && endedAt > hubKilledAt - LAST_WORDS_MS),
    );
    const ids = certain.map(({ callId }) => callId ?? '');
    expect(ids.length).toBeGreaterThan(100);
    await letAbandonedEventsAge();
    await eventually('all audit events are there', async () => {
      const there = new Set((await eventsById(ids)).map(({ id }) => id));
      return ids.every((id) => there.has(id));
    });
    expect((await eventsById(ids)).filter(({ times }) => times !== 1)).toEqual([]);
  });

  it('do not redeem again what the killed replica had redeemed', async () => {
    const redemptions = stack.proxies['reference-mcp-server'].forwarded.filter(({ body }) =>
      body.includes('assertion='),
    );
    const idJags = new Set(redemptions.map(assertionOf));
    expect(redemptions.some(({ replica, status }) => replica === 0 && status === 200)).toBe(true);
    for (const idJag of idJags) {
      const granted = redemptions.filter((each) => assertionOf(each) === idJag && each.status === 200);
      expect(granted.length).toBeLessThanOrEqual(1);
      if (granted.length === 1)
        expect(outcome(await decided(() => legs.redeemAssertion(idJag)))).toEqual([400, 'invalid_grant']);
    }
    const transactions = stack.proxies['management-api'].forwarded.filter(
      ({ headers }) => headers['txn-token'],
    );
    expect(transactions.some(({ replica, status }) => replica === 0 && status === 200)).toBe(true);
    for (const { path, headers, status } of transactions) {
      if (status !== 200) continue;
      const txnToken = String(headers['txn-token']);
      const bearer = String(headers.authorization).slice('Bearer '.length);
      const again = await decided(() => legs.callApiFor(txnToken, path.slice('/api/v1'.length), bearer));
      expect(member(again.answer, 'code')).toMatch(/^transaction_(used|token_expired)$/);
    }
  });

  it('work while a Redis server is down: nothing hangs, stateful requests are refused, and all recovers with it', async () => {
    const ofIdp = await cluster.masterOf('{idp}:');
    const lost = cluster.nodes.find((node) => node !== ofIdp);
    if (!lost) throw new Error('there is no other node');
    const load = startLoad(stack, tokens);
    const redemptions: { idJag: string; status: number; error: unknown }[] = [];
    try {
      await lost.kill();
      const goneAt = performance.now();
      while (redemptions.length < 30) {
        const idJag = await freshIdJag();
        const { status, answer } = await legs.redeemAssertion(idJag);
        redemptions.push({ idJag, status, error: member(answer, 'error') });
      }
      await load.untilMore(12);
      await lost.restart();
      await cluster.untilWhole();
      const backAt = performance.now();
      await eventually('all is well again', async () => {
        const latest = load.answers.filter(({ endedAt }) => endedAt > backAt).slice(-30);
        return latest.length === 30 && latest.every(({ succeeded }) => succeeded);
      });
      expect(performance.now() - goneAt).toBeLessThan(60_000);
    } finally {
      await load.stop();
    }
    expectNothingHung(load);
    const calls = load.answers.filter(({ kind }) => kind === 'call' || kind === 'agent');
    expect(calls.some(({ succeeded }) => succeeded)).toBe(true);
    // The list needs only PostgreSQL: meanwhile the process counts requests itself.
    expect(load.answers.filter(({ kind, succeeded }) => kind === 'list' && !succeeded)).toEqual([]);

    const seen = new Set(redemptions.map(({ status, error }) => `${status} ${error ?? ''}`.trim()));
    expect([...seen].sort()).toEqual(['200', '503 temporarily_unavailable']);
    for (const { idJag, status } of redemptions)
      if (status === 200)
        expect(outcome(await decided(() => legs.redeemAssertion(idJag)))).toEqual([400, 'invalid_grant']);
  });

  it('have neither crashed nor left an unhandled rejection', async () => {
    const faults = (await stack.readLogs())
      .split('\n')
      .filter((line) => /unhandled|uncaught|"fatal"|internal_error/i.test(line));
    expect(faults).toEqual([]);
  });
});

const MAX_ROUNDS = 30;

/**
 * Repeats until this number of requests were accepted or refused. Outages do not count: they happen on a busy machine.
 */
async function inRounds(count: number, round: () => Promise<boolean>): Promise<void> {
  for (let decided = 0, rounds = 0; decided < count; rounds += 1) {
    if (rounds === MAX_ROUNDS) throw new Error('nothing but outages');
    if (await round()) decided += 1;
  }
}

/** Retries if the response is an outage. */
async function decided(ask: () => Promise<Exchange>): Promise<Exchange> {
  let answer = await ask();
  for (let rounds = 0; isOutage(answer) && rounds < MAX_ROUNDS; rounds += 1) answer = await ask();
  return answer;
}

const isOutage = ({ status }: Exchange): boolean => status === 503;

/** A command of Redis that takes more than its 250 ms is an outage by design, which happens only on a busy machine. */
const countStoreTimeouts = async (): Promise<number> =>
  (await stack.readLogs()).split('\n').filter((line) => line.includes('Command timed out')).length;

/** Creates another user of Acme. @returns the address to sign in with */
async function createUser(id: string): Promise<string> {
  const email = `${id}@acme.example`;
  const requests = {
    users: { id, email, name: id, email_verified: true, password: scene.PASSWORD },
    memberships: { user: id, organization: 'org_acme' },
  };
  for (const [path, json] of Object.entries(requests)) {
    const url = `${stack.urls['mock-idp']}/admin/${path}`;
    const made = await exchange('POST', url, { json }, { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}` });
    if (made.status !== 201) throw new Error(`${path}: ${made.status} ${JSON.stringify(made.answer)}`);
  }
  return email;
}

/** Returns a new ID token each time, without a sign-in at the page */
const mintFor = (email: string) => async (): Promise<string> => {
  const minted = await exchange(
    'POST',
    `${stack.urls['mock-idp']}/admin/id-tokens`,
    { json: { user: email, client_id: scene.IDP_CLIENTS.frontend.id } },
    { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}` },
  );
  return text(minted.answer, 'id_token');
};

const legsAt = (service: ServiceName, url: string): Legs => createLegs({ ...stack.urls, [service]: url });

/** Gets an ID-JAG for Alice at the tool server, issued to the hub's client. */
async function freshIdJag(): Promise<string> {
  const exchanged = await createLegs(stack.urls).exchangeIdToken(tokens.staying[0] ?? '');
  return text(exchanged.answer, 'access_token');
}

const outcome = (answered: Exchange | undefined) => [answered?.status, member(answered?.answer, 'error')];
const assertionOf = ({ body }: Forwarded): string => new URLSearchParams(body).get('assertion') ?? '';
/** A transaction token, or a step of a sign-in: one used at a lost replica is not accepted by another. */
const isNotRepeatable = ({ method, path, headers }: Forwarded): boolean =>
  method === 'POST' || headers['txn-token'] !== undefined || path.startsWith('/oauth/');
const describeRequest = ({ method, path, replica }: Forwarded) => `${method} ${path} at ${replica}`;

/** Checks that every request got a response within the time limit, and that all failures are outages. */
function expectNothingHung(load: Load): void {
  const failures = load.answers.filter(({ succeeded }) => !succeeded);
  expect(load.answers.filter(({ ms }) => ms > BOUND_MS)).toEqual([]);
  const outage = /unavailable|at the moment|try again/i;
  expect(
    failures.filter(({ status, what }) => ![0, 200, 503].includes(status) || !outage.test(what)),
  ).toEqual([]);
}

/**
 * Events that the killed hub had read and not delivered are taken over after a minute. The stream stores that minute as
 * a number.
 */
async function letAbandonedEventsAge(): Promise<void> {
  for (const stream of ['scale:{audit}:sealed:done', 'scale:{audit}:sealed:refusals']) {
    const node = await cluster.masterOf(stream);
    const pending = (await node.ask('XPENDING', stream, 'hubs', '-', '+', 10_000)) as [string, string][];
    for (const [id, consumer] of pending)
      await node.ask('XCLAIM', stream, 'hubs', consumer, 0, id, 'IDLE', 61_000, 'JUSTID');
  }
}

async function eventsById(ids: readonly string[]): Promise<{ id: string; times: number }[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client
    .query<{ id: string; times: string }>(
      'SELECT id, count(*) AS times FROM audit_events WHERE id = ANY($1) GROUP BY id',
      [ids],
    )
    .finally(() => client.end());
  return rows.map(({ id, times }) => ({ id, times: Number(times) }));
}
