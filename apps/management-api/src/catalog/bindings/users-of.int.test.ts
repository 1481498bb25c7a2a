import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let owner: Client;
beforeAll(async () => {
  api = await createTestApi();
  owner = await clientOf(api, 'org_acme', { roles: ['owner'] });
});
afterAll(() => api.close());

const create = async (path: string, body: object): Promise<string> =>
  (await owner('post', path, body)).body.id;

it('lists the sites of an agent, without deleted ones, as the sites list their agents', async () => {
  const agent = await create('/agents', { name: 'Support' });
  const [first, second, gone] = [
    await create('/sites', { name: 'First' }),
    await create('/sites', { name: 'Second' }),
    await create('/sites', { name: 'Gone' }),
  ];
  for (const site of [first, second, gone]) await owner('put', `/sites/${site}/agents/${agent}`);
  await owner('delete', `/sites/${gone}`);
  const { body } = await owner('get', `/agents/${agent}/sites?sort=-created_at`);
  expect(body.data.map(({ site_id }: { site_id: string }) => site_id)).toEqual([second, first]);
  expect(body.data[1]).toEqual((await owner('get', `/sites/${first}/agents`)).body.data[0]);
  expect(body.data[1]).toMatchObject({ site_name: 'First', agent_name: 'Support' });
  expect((await owner('get', `/agents/${agent}/sites?limit=1`)).body.pagination).toEqual({
    ...{ total: 2, limit: 1, offset: 0, has_more: true },
  });
});

it('lists the agents of a connector, without deleted ones, as the agents list their connectors', async () => {
  const connector = await create('/connectors', {
    ...{ name: 'Tools', resource_url: 'https://tools.example/', client_id: 'hub', enabled: false },
  });
  const [agent, gone] = [await create('/agents', { name: 'A' }), await create('/agents', { name: 'B' })];
  for (const id of [agent, gone])
    await owner('put', `/agents/${id}/connectors/${connector}`, { tools: ['a'] });
  await owner('delete', `/agents/${gone}`);
  const { body } = await owner('get', `/connectors/${connector}/agents`);
  expect(body.data).toEqual((await owner('get', `/agents/${agent}/connectors`)).body.data);
  expect(body.data).toMatchObject([{ agent_id: agent, connector_id: connector, tools: ['a'] }]);
  expect(body.data).toMatchObject([{ agent_name: 'A', connector_name: 'Tools' }]);
});

it('returns 404 for an agent or connector that does not exist', async () => {
  for (const path of ['/agents/agt_none/sites', '/connectors/con_none/agents'])
    expect((await owner('get', path)).status).toBe(404);
});
