import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { pageOf } from '@legate/pagination';
import { createTenantDatabase } from '@legate/postgres';
import { createRateLimiter } from '@legate/rate-limit';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import request from 'supertest';
import { APPLICATION_ROLE } from '../../storage/database.ts';
import { clientOf } from '../../testing/client.ts';
import { createTestApi, NOW, type TestApi } from '../../testing/test-api.ts';
import { createUsageStore, type UsageStore } from './store.ts';
import { Usage } from './usage.ts';

let api: TestApi;
let store: UsageStore;
beforeAll(async () => {
  api = await createTestApi({ limiter: createRateLimiter({ clock: () => new Date(NOW * 1000) }) });
  store = createUsageStore(createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE }));
});
afterAll(() => api.close());

/** @returns today's saved counts; the request itself is counted with the next flush */
async function todayOf(organizationId: string) {
  await api.flushUsage();
  const client = await clientOf(api, organizationId);
  const answered = await client('get', '/usage?limit=100');
  expect(answered.status).toBe(200);
  const { data, pagination } = pageOf(Usage).parse(answered.body);
  expect(pagination.total).toBe(30);
  return data.at(-1);
}

it('counts all requests that count against the rate limit, including 304, 4xx, and requests refused by the limit', async () => {
  const client = await clientOf(api, 'org_counted');
  const token = await api.token('org_counted');
  const call = (path: string, headers = {}) =>
    request(api.app).get(path).auth(token, { type: 'bearer' }).set(headers);

  const { headers } = await client('post', '/sites', { name: 'One' });
  expect((await call(headers.location as string, { 'If-None-Match': headers.etag })).status).toBe(304);
  expect((await client('get', '/sites/site_none')).status).toBe(404);
  expect((await client('get', '/sites?limit=0')).status).toBe(400);
  expect((await call('/api/sites')).status).toBe(200); // 5
  // Not counted:
  expect((await client('get', '/rate-limit')).status).toBe(200);
  expect((await call('/healthz')).status).toBe(200);
  expect((await request(api.app).get('/api/v1/sites')).status).toBe(401);

  for (let i = 5; i < 60; i++) expect((await client('get', '/me')).status).toBe(200);
  for (let i = 0; i < 3; i++) expect((await client('get', '/me')).status).toBe(429);
  await api.flushUsage();
  const [day] = await store.read(OrganizationId.parse('org_counted'), '2026-09-21', '2026-09-21');
  expect(day).toEqual({ day: '2026-09-21', requests: 63, throttled: 3 });
});

it('shows an organization only its own counts, and adds later ones', async () => {
  const client = await clientOf(api, 'org_twice');
  await client('get', '/sites');
  expect(await todayOf('org_twice')).toEqual({
    period_start: '2026-09-21T00:00:00.000Z',
    period_end: '2026-09-22T00:00:00.000Z',
    requests: 1,
    throttled: 0,
    embed_sessions: 0,
  });
  await client('get', '/sites');
  expect(await todayOf('org_twice')).toMatchObject({ requests: 3 });
  expect(await todayOf('org_other')).toMatchObject({ requests: 0 });
});

it('counts for no organization if the token contains none', async () => {
  const client = await clientOf(api, undefined);
  expect((await client('get', '/me')).status).toBe(200);
  await api.flushUsage();
  const { rows } = await api.database.asOwner((owner) =>
    owner.query("SELECT organization_id FROM usage_days WHERE organization_id LIKE 'user%'"),
  );
  expect(rows).toEqual([]);
});

it('adds concurrent counts of several processes, in any order', async () => {
  // So many rows that the statements meet, and would cause a deadlock if each kept its own order.
  const counts = Array.from({ length: 500 }, (_, i) => ({
    organizationId: OrganizationId.parse(`org_many_${i}`),
    day: '2026-09-20',
    requests: 2,
    throttled: 1,
  }));
  await Promise.all(Array.from({ length: 8 }, (_, i) => store.add(i % 2 ? counts : [...counts].reverse())));
  const { rows } = await api.database.asOwner((owner) =>
    owner.query(`SELECT count(*)::int AS organizations, min(requests)::int, max(requests)::int, max(throttled)::int AS throttled
      FROM usage_days WHERE organization_id LIKE 'org_many_%'`),
  );
  expect(rows).toEqual([{ organizations: 500, min: 16, max: 16, throttled: 8 }]);
});

it('needs the scope usage:read', async () => {
  const client = await clientOf(api, 'org_scoped', { scope: 'sites:read' });
  const refused = await client('get', '/usage');
  expect([refused.status, refused.body.required_scope]).toEqual([403, 'usage:read']);
});

it('returns a page or a refusal for any range', async () => {
  const generous = await createTestApi({ beside: api });
  try {
    const client = await clientOf(generous, 'org_acme');
    const anyDate = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc
        .date({ noInvalidDate: false })
        .map((date) => (Number.isNaN(+date) ? 'NaN' : date.toISOString().slice(0, 10))),
      fc.constantFrom('0000-01-01', '9999-12-31', '2026-02-29', '+010000-01-01', '2000-01-01'),
    );
    const anyNumber = fc.oneof(fc.integer().map(String), fc.constantFrom('999999999', '1e2', ''));
    const query = fc.record(
      { from: anyDate, to: anyDate, limit: anyNumber, offset: anyNumber },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(query, async (parameters) => {
        const search = Object.entries(parameters)
          .map(([name, value]) => `${name}=${Buffer.from(value).toString('hex').replaceAll(/../g, '%$&')}`)
          .join('&');
        const answered = await client('get', `/usage?${search}`);
        expect([200, 400]).toContain(answered.status);
        if (answered.status === 200) pageOf(Usage).parse(answered.body);
      }),
      runs(30),
    );
  } finally {
    await generous.close();
  }
});
