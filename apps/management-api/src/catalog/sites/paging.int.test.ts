import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await createTestApi();
  token = await api.token('org_acme');
});
afterAll(() => api.close());

async function page(query: string) {
  const answer = await request(api.app).get(`/api/v1/sites?${query}`).auth(token, { type: 'bearer' });
  expect(answer.status).toBe(200);
  return answer.body as { data: { id: string }[]; pagination: { total: number; has_more: boolean } };
}

it('lists 500 sites with the same time page by page, each once, while others are created', async () => {
  await api.database.asOwner(async (owner) => {
    await owner.query("INSERT INTO organizations (id, name) VALUES ('org_acme', 'Acme')");
    // The ids are in another order than the rows, and all times are the same: only a total order separates
    // the pages.
    await owner.query(`INSERT INTO sites (id, organization_id, name, created_at)
      SELECT 'site_' || md5(i::text), 'org_acme', 'Site ' || i, '2026-01-15T12:00:00Z' FROM generate_series(1, 500) i`);
  });
  const seen: string[] = [];
  for (let offset = 0, more = true; more; offset += 37) {
    const { data, pagination } = await page(`limit=37&offset=${offset}`);
    seen.push(...data.map((site) => site.id));
    more = pagination.has_more;
    if (offset < 300) {
      await request(api.app)
        .post('/api/v1/sites')
        .auth(token, { type: 'bearer' })
        .send({ name: 'New' })
        .expect(201);
    }
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => id.length === 'site_'.length + 32)).toHaveLength(500);
  expect(seen).toHaveLength((await page('limit=1')).pagination.total);
});

it('returns an empty page and the correct total for an offset past the end', async () => {
  const { data, pagination } = await page('offset=999999999');
  expect(data).toEqual([]);
  expect(pagination).toMatchObject({ total: expect.any(Number), has_more: false });
  expect(pagination.total).toBeGreaterThanOrEqual(500);
});

it('does not list deleted sites', async () => {
  const [first] = (await page('limit=1')).data;
  const { total } = (await page('limit=1')).pagination;
  await api.database.asOwner((owner) =>
    owner.query('UPDATE sites SET deleted_at = clock_timestamp() WHERE id = $1', [first?.id]),
  );
  const after = await page('limit=1');
  expect(after.pagination.total).toBe(total - 1);
  expect(after.data[0]?.id).not.toBe(first?.id);
  await request(api.app).get(`/api/v1/sites/${first?.id}`).auth(token, { type: 'bearer' }).expect(404);
});
