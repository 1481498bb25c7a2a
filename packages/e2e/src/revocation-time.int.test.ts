import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLegs, exchange, member, scene, signIn, text } from '@legate/dev';
import { createSigningKeys } from '@legate/jwt';
import { type RedisClusterProcesses, startRedisCluster } from '@legate/secure-store/testing';
import { needs } from '@legate/testing';
import { openPostgres } from './postgres-process.ts';
import { type ScaledStack, startScaledStack } from './scale-out-stack.ts';

/**
 * Tests two processes of each service on shared stores, under 50 requests a second, while an administrator denies 200
 * members: measures the time until no process admits them, and until both hubs have cut their running calls.
 */

const { describe, path } = needs('night', 'Redis', 'PostgreSQL');
const USERS = 200;
/** Users who are denied at the same time, each of whom sends requests to all four processes meanwhile */
const AT_ONCE = 4;
const P99_MS = 2000;
const MAX_MS = 5000;
const LOAD_PER_SECOND = 50;
const PROBE_PAUSE_MS = 50;

let postgres: Awaited<ReturnType<typeof openPostgres>>;
let cluster: RedisClusterProcesses;
let stack: ScaledStack;
let alice: { readonly accessToken: string; readonly idToken: string };

interface User {
  readonly id: string;
  readonly idToken: string;
  readonly accessToken: string;
}

const asAdmin = { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}` };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

type Answered = Awaited<ReturnType<typeof exchange>>;

/** Retries after a 5xx, as clients do: on a busy machine Redis or PostgreSQL is sometimes too slow. */
async function decided(ask: () => Promise<Answered>): Promise<Answered> {
  let answer = await ask();
  for (let tries = 1; answer.status >= 500 && tries < 20; tries++) {
    await delay(PROBE_PAUSE_MS);
    answer = await ask();
  }
  return answer;
}

async function made(path: string, json: object) {
  const url = `${stack.urls['mock-idp']}/admin/${path}`;
  const answer = await decided(() => exchange('POST', url, { json }, asAdmin));
  if (answer.status === 409) return answer.answer; // created by an attempt whose response was too late
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.answer)}`);
  return answer.answer;
}

async function createUser(id: string, sign: (claims: object) => Promise<string>): Promise<User> {
  const email = `${id}@acme.example`;
  await made('users', { id, email, name: id, email_verified: true, password: scene.PASSWORD });
  await made('memberships', { user: id, organization: 'org_acme' });
  const minted = await made('id-tokens', { user: email, client_id: scene.IDP_CLIENTS.frontend.id });
  const accessToken = await sign({ sub: id, organization_id: 'org_acme', roles: ['viewer'] });
  return { id, idToken: text(minted, 'id_token'), accessToken };
}

/** Runs `work` for each item, with limited concurrency. */
async function forEach<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<void>) {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Sends a request to each process as this user. */
const doorsOf = (user: User) => [
  ...stack.replicas['management-api'].map(
    ({ url }) =>
      () =>
        exchange('GET', `${url}/api/v1/me`, {}, bearer(user.accessToken)),
  ),
  ...stack.replicas['tool-hub'].map(
    ({ url }) =>
      () =>
        createLegs({ ...stack.urls, 'tool-hub': url }).callThroughHub(user.idToken, 'whoami'),
  ),
];

const isRefused = (answer: Answered): boolean =>
  answer.status === 403 && member(answer.answer, 'code') === 'membership_revoked';

/**
 * Starts a call at each hub to which the tool server does not respond.
 * @returns once the calls run: a promise that resolves when both callers have a response, and both connections to the
 * tool server are closed
 */
async function startCalls(user: User) {
  const cut = stack.replicas['tool-hub'].map(async ({ url }, index) => {
    const text = `a note of ${user.id} by hub ${index}`;
    const held = stack.proxies['reference-mcp-server'].hold(text);
    const legs = createLegs({ ...stack.urls, 'tool-hub': url });
    const call = legs.callThroughHub(user.idToken, 'create_note', { text });
    await Promise.race([held.arrived, call.then((early) => Promise.reject(new Error(describeEarly(early))))]);
    return async () => {
      const [answer] = await Promise.all([call, held.cut]);
      expect([answer.status, member(answer.answer, 'code')]).toEqual([403, 'access_revoked']);
    };
  });
  const running = await Promise.all(cut);
  return () => Promise.all(running.map((untilCut) => untilCut()));
}

const describeEarly = ({ status, answer }: Answered): string =>
  `a call was answered too early: ${status} ${JSON.stringify(answer)}`;

/** A steady load of a member who is not denied, through the proxies: every second request is a tool call. */
function startLoad() {
  let isStopped = false;
  const failures: unknown[] = [];
  const running = new Set<Promise<void>>();
  let count = 0;
  const ask = async () => {
    const { status, answer } =
      count++ % 2 === 0
        ? await exchange('GET', `${stack.urls['management-api']}/api/v1/sites`, {}, bearer(alice.accessToken))
        : await createLegs(stack.urls).callThroughHub(alice.idToken, 'whoami');
    if (status !== 200 && status < 500) failures.push([status, answer]);
  };
  const work = (async () => {
    while (!isStopped) {
      const one = ask().catch((err: unknown) => void failures.push(err));
      running.add(one);
      void one.then(() => running.delete(one));
      await delay(1000 / LOAD_PER_SECOND);
    }
    await Promise.all(running);
  })();
  return {
    async stop() {
      isStopped = true;
      await work;
      return failures;
    },
  };
}

describe('two processes of the management API and of the hub', () => {
  beforeAll(async () => {
    cluster = await startRedisCluster(path.Redis, { fullCoverage: false });
    postgres = await openPostgres(path.PostgreSQL);
    await postgres.start();
    stack = await startScaledStack({ databaseUrl: postgres.url, redisUrl: cluster.url });
    const resource = stack.urls['management-api'];
    const issuer = stack.urls['mock-idp'];
    alice = await signIn({ issuer, email: scene.USERS.alice.email, resource });
  });

  afterAll(async () => {
    await stack?.stop();
    await cluster?.remove();
    await postgres?.remove();
  });

  it(`refuse a denied member everywhere and cut their calls: 99 of 100 within ${P99_MS} ms, all within ${MAX_MS} ms`, async () => {
    const { urls } = stack;
    const keys = await createSigningKeys({ alg: 'RS256', clock: () => new Date(), jwks: stack.idpJwks });
    const sign = (claims: object) => {
      const iat = Math.floor(Date.now() / 1000);
      const standard = { iss: urls['mock-idp'], aud: urls['management-api'], iat, exp: iat + 3600 };
      return keys.sign({ ...standard, ...claims }, { typ: 'at+jwt' });
    };
    const users: User[] = [];
    const ids = Array.from({ length: USERS }, (_, index) => `leaver_${index}`);
    await forEach(ids, AT_ONCE, async (id) => {
      const user = await createUser(id, sign);
      for (const ask of doorsOf(user)) expect((await decided(ask)).status).toBe(200);
      users.push(user);
    });

    const load = startLoad();
    const refusedMs: number[] = [];
    const cutMs: number[] = [];
    const deny = (user: User) =>
      exchange(
        'POST',
        `${urls['management-api']}/api/v1/members/deny`,
        { json: { user_id: user.id } },
        bearer(alice.accessToken),
      );
    const measured = forEach(users, AT_ONCE, async (user) => {
      const untilCut = await startCalls(user);
      const startedAt = performance.now();
      const since = (to: number[]) => () => void to.push(performance.now() - startedAt);
      const cut = untilCut().then(since(cutMs));
      const ended = await decided(() => deny(user));
      expect([ended.status, member(ended.answer, 'status')]).toEqual([200, 'denied']);
      // From before the request to the last process's refusal: longer than from the commit.
      const refused = doorsOf(user).map(async (ask) => {
        while (!isRefused(await ask())) {
          if (performance.now() - startedAt > 2 * MAX_MS) throw new Error(`${user.id} is still admitted`);
          await delay(PROBE_PAUSE_MS);
        }
      });
      await Promise.all([cut, Promise.all(refused).then(since(refusedMs))]);
    });
    const failures = await measured.finally(load.stop).then(load.stop);
    expect(failures).toEqual([]);

    for (const tookMs of [refusedMs, cutMs]) {
      tookMs.sort((a, b) => a - b);
      expect(tookMs).toHaveLength(USERS);
      expect(tookMs[Math.ceil(USERS * 0.99) - 1]).toBeLessThan(P99_MS);
      expect(tookMs.at(-1)).toBeLessThan(MAX_MS);
    }
  }, 600_000);
});
