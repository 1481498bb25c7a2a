import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type RedisProcess, startRedisProcess } from '@legate/secure-store/testing';
import { eventually, needs } from '@legate/testing';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { type ApiUnderTest, startApiUnderTest } from './api-under-test.ts';
import { createPostgresServer, type PostgresProcess } from './postgres-process.ts';

/** A response that takes longer counts as missing. */
const BOUND_MS = 15_000;
const CLIENTS = 8;
/** Default of DATABASE_POOL_SIZE */
const POOL_SIZE = 10;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly code?: string; readonly id?: string };
}

/** Redis writes every command to disk, so that a restart loses nothing that was acknowledged. */
const REDIS_ARGS = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];

const { describe, path } = needs('night', 'Redis', 'PostgreSQL');
let redis: RedisProcess;
let postgres: PostgresProcess;
let api: ApiUnderTest;
let crashed: unknown;
/** One per test, so that each has its own rate limit window. */
let organization: string;
let token: string;

const organizations = Array.from({ length: 8 }, (_, i) => `org_${i}`);

describe('a management API whose stores fail under requests', () => {
  beforeAll(async () => {
    redis = await startRedisProcess(path.Redis, REDIS_ARGS);
    postgres = await createPostgresServer(path.PostgreSQL);
    await postgres.start();
    await untilPostgresAnswers();
    api = await startApiUnderTest({ databaseUrl: postgres.url, redisUrl: redis.url, organizations });
    api.service.stopped.catch((err: unknown) => {
      crashed = err;
    });
  });

  afterAll(async () => {
    await api?.stop();
    await redis?.remove();
    await postgres?.remove();
  });

  beforeEach(async () => {
    organization = organizations.shift() ?? '';
    token = await api.token(organization);
  });

  it('works without Redis, counting on its own, and uses Redis again when it returns', async () => {
    const load = startLoad(() => call('GET', '/sites'));
    await load.until((answers) => answers.length >= 20);
    await redis.kill();
    await load.until((answers) => answers.length >= 300);
    expect(await api.readCounter('rate_limit_degraded_total')).toBeGreaterThan(0);
    expect((await ask('/readyz')).status).toBe(200);
    await redis.restart();
    const before = await countInRedis();
    await load.until(async () => (await countInRedis()) > before);
    const answers = await load.stop();

    for (const { status, headers } of answers) {
      expect(status).toBe(200);
      expect(headers.get('x-ratelimit-limit')).toBe('100000');
      expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    }
    // Each counted once, here or there, and none resent by the client when it had connected again; of those that were on
    // their way when Redis was killed, the count may have been written and not answered.
    expect(await countInRedis()).toBeLessThanOrEqual(answers.length + CLIENTS);
  });

  it('does not wait for a hanging Redis', async () => {
    const load = startLoad(() => call('GET', '/sites'));
    await load.until((answers) => answers.length >= 20);
    redis.pause();
    await load.until((answers) => answers.length >= 300);
    redis.resume();
    const before = await countInRedis();
    await load.until(async () => (await countInRedis()) > before);
    for (const { status } of await load.stop()) expect(status).toBe(200);
  });

  it.each([
    [
      'creations',
      "SELECT pg_advisory_lock(hashtextextended('quota:sites:' || $1, 0))",
      () => call('POST', '/sites', { json: { name: randomUUID() } }),
    ],
    [
      'changes of one row',
      'SELECT FROM sites WHERE organization_id = $1 FOR UPDATE',
      (id: string) =>
        call('PATCH', `/sites/${id}`, { json: { name: randomUUID() }, headers: { 'If-Match': '*' } }),
    ],
  ])(
    'serves other organizations while a lock holds up all %s of one, and that one when the lock is gone',
    async (_case, lock, change) => {
      const { body } = await call('POST', '/sites', { json: { name: 'Locked' } });
      const other = await api.token(organizations.at(-1) ?? '');
      const holder = new Client({ connectionString: postgres.url });
      holder.on('error', () => undefined); // a failed test leaves this connection open
      await holder.connect();
      await holder.query('BEGIN');
      await holder.query(lock, [organization]);
      let areBlocked = true;
      const blocked = Promise.all(Array.from({ length: 3 * POOL_SIZE }, () => change(body.id ?? ''))).finally(
        () => {
          areBlocked = false;
        },
      );
      const served: number[] = [];
      while (areBlocked) served.push((await call('GET', '/sites', { token: other })).status);
      expect(new Set(served)).toEqual(new Set([200]));
      for (const { status, headers } of await blocked)
        expect([status, headers.get('retry-after')]).toEqual([503, '5']);
      await holder.end();
      expect((await change(body.id ?? '')).status).toBeLessThan(300);
    },
  );

  it.each([
    ['stopped and started again', () => postgres.stop(), () => postgres.start()],
    ['hanging for a while', () => postgres.pause(), () => postgres.resume()],
  ])(
    'returns 503 while PostgreSQL is %s, recovers on its own, writes once, and leaks no connection',
    async (_case, fail, repair) => {
      const reads = startLoad(() => call('GET', '/sites'));
      const writes = startLoad(createSiteOnce());
      await reads.until((answers) => answers.length >= 20);
      await writes.until((answers) => answers.length >= 20);

      await fail();
      // More than the pool has connections, so that each of them has been waited for.
      await reads.until((answers) => answers.filter(isOutage).length > POOL_SIZE);
      await writes.until((answers) => answers.filter(isOutage).length > POOL_SIZE);
      const [ready, alive] = [await ask('/readyz'), await ask('/healthz')];
      const unknown = await call('GET', '/sites', { token: await api.token('org_never_seen') });
      await repair();
      await untilPostgresAnswers();
      await reads.until((answers) => answers.slice(-CLIENTS).every(({ status }) => status === 200));
      await writes.until((answers) => answers.slice(-CLIENTS).every(({ status }) => status === 201));
      const answers = [...(await reads.stop()), ...(await writes.stop())];

      expect([ready.status, await ready.json()]).toEqual([
        503,
        { status: 'not_ready', failed: ['postgres'] },
      ]);
      expect(alive.status).toBe(200);
      expect([unknown.status, unknown.body.code]).toEqual([503, 'service_unavailable']);
      expect((await ask('/readyz')).status).toBe(200);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201, 503]));
      for (const answer of answers.filter(({ status }) => status === 503)) {
        expect(answer.body.code).toBe('service_unavailable');
        expect(answer.headers.get('retry-after')).toBe('5');
        expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
        expect(answer.headers.get('x-ratelimit-limit')).toBe('100000');
      }
      await expectSitesOnce(answers);
      expect(await countConnections()).toBeLessThanOrEqual(POOL_SIZE);
      expect(await countConnections("state LIKE 'idle in transaction%' OR wait_event_type = 'Lock'")).toBe(0);
    },
  );

  it('has neither crashed nor left an unhandled rejection', async () => {
    const log = await api.readLog();
    expect(crashed).toBeUndefined();
    const faults = log.split('\n').filter((line) => /unhandled|uncaught|fatal|internal_error/i.test(line));
    expect(faults).toEqual([]);
  });
});

const isOutage = ({ status }: Answer): boolean => status === 503;

const ask = (path: string): Promise<Response> =>
  fetch(`${api.url}${path}`, { signal: AbortSignal.timeout(BOUND_MS) });

async function call(
  method: string,
  path: string,
  init: { token?: string; json?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const answer = await fetch(`${api.url}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${init.token ?? token}`,
      'Content-Type': 'application/json',
      ...init.headers,
    },
    ...(init.json !== undefined && { body: JSON.stringify(init.json) }),
    signal: AbortSignal.timeout(BOUND_MS),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] };
}

/** Creates site after site; one that was not created is tried again under the same key, as clients do. */
function createSiteOnce(): (client: number) => Promise<Answer> {
  const open = new Map<number, string>();
  return async (client) => {
    const key = open.get(client) ?? randomUUID();
    open.set(client, key);
    const answer = await call('POST', '/sites', {
      json: { name: key },
      headers: { 'Idempotency-Key': key },
    });
    if (answer.status === 201) open.delete(client);
    return answer;
  };
}

/** Requests one after the other by each of several clients, until it is stopped. A request without an answer fails it. */
function startLoad(request: (client: number) => Promise<Answer>) {
  const answers: Answer[] = [];
  let stopped = false;
  let changed = () => {};
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (!stopped) {
        answers.push(await request(client));
        changed();
      }
    }),
  );
  clients.catch(() => undefined); // callers that wait see it
  return {
    async until(enough: (answers: readonly Answer[]) => boolean | Promise<boolean>): Promise<void> {
      while (!(await enough(answers))) {
        const next = new Promise<void>((resolve) => {
          changed = resolve;
        });
        await Promise.race([next, clients]);
      }
    },
    async stop(): Promise<readonly Answer[]> {
      stopped = true;
      await clients;
      return answers;
    },
  };
}

async function expectSitesOnce(answers: readonly Answer[]): Promise<void> {
  const created = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
  const rows = await query<{ name: string; sites: string }>(
    'SELECT name, count(*) AS sites FROM sites WHERE organization_id = $1 GROUP BY name',
    [organization],
  );
  expect(rows.filter(({ sites }) => Number(sites) > 1)).toEqual([]);
  // One site of each client may have been saved although its response was lost; a retry would reveal it.
  expect(rows.length).toBeGreaterThanOrEqual(created.size);
  expect(rows.length).toBeLessThanOrEqual(created.size + CLIENTS);
}

const countConnections = async (condition = 'true'): Promise<number> => {
  const [row] = await query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'management-api' AND (${condition})`,
  );
  return Number(row?.count);
};

async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: postgres.url, connectionTimeoutMillis: 5000 });
  await client.connect();
  return (await client.query<Row>(text, values).finally(() => client.end())).rows;
}

/** Waits until PostgreSQL has recovered: it listens before that. */
async function untilPostgresAnswers(): Promise<void> {
  const look = () =>
    query('SELECT 1').then(
      () => 'an answer',
      (err: unknown) => err,
    );
  await eventually('an answer of PostgreSQL', look, { until: (seen) => seen === 'an answer' });
}

async function countInRedis(): Promise<number> {
  const client = new Redis(redis.url, { lazyConnect: true, maxRetriesPerRequest: 1 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return Number(await client.get(`rl:org:${organization}`));
  } finally {
    client.disconnect();
  }
}
