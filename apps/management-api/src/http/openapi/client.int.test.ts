import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createManagementClient, type ManagementClient, pages } from '@legate/client/management';
import { listen, type TestServer } from '@legate/service/testing';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

/** Tests the client that is generated from the API's description, against the API. */

let api: TestApi;
let server: TestServer;
let client: ManagementClient;
beforeAll(async () => {
  api = await createTestApi();
  server = await listen(api.app);
  const token = await api.token('org_acme', { roles: ['owner'] });
  client = createManagementClient({ baseUrl: server.url, accessToken: () => token });
});
afterAll(async () => {
  await server.stop();
  await api.close();
});

it('creates a site once, however often the request is sent', async () => {
  const create = (key: string) =>
    client.POST('/sites', {
      body: { name: 'Shop', allowed_origins: ['https://shop.example'] },
      headers: { 'Idempotency-Key': key },
    });
  const [first, again] = [await create('one'), await create('one')];
  expect(first.data?.id).toMatch(/^site_/);
  expect(again.data).toEqual(first.data);
  expect((await client.GET('/sites')).data?.pagination.total).toBe(1);
});

it('gets a response from a POST that does not accept idempotency keys', async () => {
  const { data: page } = await client.GET('/sites');
  const { data } = await client.POST('/sites/{site_id}/origins/check', {
    params: { path: { site_id: page?.data[0]?.id ?? '' } },
    body: { origin: 'https://shop.example' },
  });
  expect(data).toEqual(expect.objectContaining({ allowed: true }));
});

it('reads lists by offset, and the audit trail by cursor', async () => {
  for (const name of ['Blog', 'Wiki'])
    await client.POST('/sites', {
      body: { name, allowed_origins: [`https://${name.toLowerCase()}.example`] },
    });
  const names: string[] = [];
  for await (const { data } of pages(client, '/sites', { query: { limit: 2, sort: 'name' } }))
    names.push(...(data?.data.map(({ name }) => name) ?? []));
  expect(names).toEqual(['Blog', 'Shop', 'Wiki']);
  const actions: string[] = [];
  for await (const { data } of pages(client, '/audit-events', {
    query: { limit: 1, action: 'site.created' },
  }))
    actions.push(...(data?.data.map(({ action }) => action) ?? []));
  expect(actions).toEqual(['site.created', 'site.created', 'site.created']);
});

it('returns a refusal as a problem', async () => {
  const { data, error } = await client.POST('/sites', { body: { name: '', allowed_origins: [] } });
  expect([data, error]).toEqual([
    undefined,
    expect.objectContaining({ code: 'validation_failed', errors: expect.any(Array) }),
  ]);
});
