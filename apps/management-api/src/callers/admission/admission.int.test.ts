import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRateLimiter } from '@legate/rate-limit';
import { connectRedis } from '@legate/secure-store';
import request from 'supertest';
import { createTestApi, NOW, type TestApi } from '../../testing/test-api.ts';

/** The end of the window depends on the application's clock. */
const clock = () => new Date(NOW * 1000);
const redisUrl = process.env.TEST_REDIS_URL;
const keyPrefix = `test-management-${randomUUID()}:`;

let api: TestApi;
let redis: Awaited<ReturnType<typeof connectRedis>> | undefined;

beforeAll(async () => {
  redis = redisUrl
    ? await connectRedis(redisUrl, { keyPrefix, commandTimeoutMs: 2000, onError: () => undefined })
    : undefined;
  api = await createTestApi({ limiter: createRateLimiter({ redis, clock }) });
});
afterAll(async () => {
  const keys = (await redis?.keys(`${keyPrefix}*`)) ?? [];
  await Promise.all(keys.map((key) => redis?.del(key.slice(keyPrefix.length))));
  redis?.disconnect();
  await api.close();
});

const setPlan = (id: string, plan: string, own: number | null = null) =>
  api.database.asOwner((owner) =>
    owner.query(
      `INSERT INTO organizations (id, name, plan, rate_limit_per_minute) VALUES ($1, 'Test', $2, $3)
       ON CONFLICT (id) DO UPDATE SET plan = excluded.plan, rate_limit_per_minute = excluded.rate_limit_per_minute`,
      [id, plan, own],
    ),
  );

async function call(organizationId: string | undefined, path = '/api/v1/sites') {
  return request(api.app)
    .get(path)
    .set('Authorization', `Bearer ${await api.token(organizationId)}`);
}

const limitOf = (answer: { headers: Record<string, string> }) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => Number(answer.headers[name]));

describe.each([
  ['free', 60],
  ['pro', 300],
] as const)('plan %s', (plan, limit) => {
  it(`serves ${limit} requests a minute, refuses the next with 429, with three headers each`, async () => {
    const id = `org_${plan}`;
    await setPlan(id, plan);
    for (let left = limit - 1; left >= 0; left--) {
      const answer = await call(id);
      expect([answer.status, ...limitOf(answer)]).toEqual([200, limit, left]);
      expect(answer.headers['x-ratelimit-reset']).toMatch(/^\d{10}$/);
    }
    const refused = await call(id);
    expect([refused.status, refused.body.code, ...limitOf(refused)]).toEqual([
      429,
      'rate_limit_exceeded',
      limit,
      0,
    ]);
    const retryAfter = Number(refused.headers['retry-after']);
    expect(refused.body.retry_after).toBe(retryAfter);
    expect(Number(refused.headers['x-ratelimit-reset']) - NOW).toBe(retryAfter);
    expect(refused.headers['ratelimit-policy']).toBe(`"${plan}";q=${limit};w=60`);
    expect(refused.headers.ratelimit).toBe(`"${plan}";r=0;t=${retryAfter}`);
  });
});

it('counts refused requests and those without a resource, and sends the limit with them', async () => {
  const answers = [
    await call('org_counted', '/api/v1/sites?limit=0'),
    await call('org_counted', '/api/sites/site_none'),
    await call('org_counted', '/api/v1/nothing'),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([400, 404, 404]);
  expect(answers.map((answer) => limitOf(answer)[1])).toEqual([59, 58, 57]);
});

it('applies a change of plan in the current window, and keeps the count', async () => {
  await setPlan('org_growing', 'free');
  for (let i = 0; i < 61; i++) await call('org_growing');
  expect((await call('org_growing')).status).toBe(429);
  await setPlan('org_growing', 'pro');
  api.advanceSeconds(31); // the plan is cached for 30 seconds
  const answer = await call('org_growing');
  expect([answer.status, ...limitOf(answer)]).toEqual([200, 300, 237]);
});

it.each([
  [5000, 5000],
  [null, 3000],
])('gives a custom plan with its own limit %j the limit %i', async (own, limit) => {
  await setPlan(`org_custom_${own}`, 'custom', own);
  expect(limitOf(await call(`org_custom_${own}`))).toEqual([limit, limit - 1]);
});

it('counts each organization, and each user without one, separately', async () => {
  await call('org_first');
  expect(limitOf(await call('org_second'))).toEqual([60, 59]);
  expect(limitOf(await call(undefined))).toEqual([60, 59]);
});

it('creates an organization at its first valid token, even for many concurrent requests', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => call('org_new')));
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
  const { rows } = await api.database.asOwner((owner) =>
    owner.query("SELECT name, plan FROM organizations WHERE id = 'org_new'"),
  );
  expect(rows).toEqual([{ name: 'org_new', plan: 'free' }]);
});

it('refuses a suspended organization', async () => {
  await setPlan('org_suspended', 'free');
  await api.database.asOwner((owner) =>
    owner.query("UPDATE organizations SET status = 'suspended' WHERE id = 'org_suspended'"),
  );
  const answer = await call('org_suspended');
  expect([answer.status, answer.body.code, ...limitOf(answer)]).toEqual([
    403,
    'organization_suspended',
    60,
    59,
  ]);
});

it('blocks an address after 120 failed authentications, with only Retry-After, and no other address', async () => {
  const from = (address: string, token: string) =>
    request(api.app)
      .get('/api/v1/sites')
      .set({ 'X-Forwarded-For': address, Authorization: `Bearer ${token}` });
  // Five more tokens are checked each second, and the clock stands still.
  for (let i = 0; i < 125; i++) expect((await from('203.0.113.7', 'forged')).status).toBe(401);
  const refused = await from('203.0.113.7', 'forged');
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit_exceeded']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers['x-ratelimit-limit']).toBeUndefined();
  expect((await from('203.0.113.8', 'forged')).status).toBe(401);
  expect((await from('203.0.113.8', await api.token('org_first'))).status).toBe(200);
});
