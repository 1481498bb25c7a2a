import { expect, it } from '@jest/globals';
import { json, refusal } from '../testing/fake-hub.ts';
import { createManagementClient, type ManagementOptions, pages } from './index.ts';

function over(answer: (request: Request) => Response, options: Partial<ManagementOptions> = {}) {
  const requests: Request[] = [];
  const client = createManagementClient({
    baseUrl: 'https://api.example/',
    accessToken: 'token',
    fetch: async (request) => {
      requests.push(request);
      return answer(request);
    },
    ...options,
  });
  return { client, requests };
}

it('sends the token, and an idempotency key with each request that has an effect', async () => {
  let asked = 0;
  const { client, requests } = over(() => json({ id: 'site_1' }, 201), {
    accessToken: () => `token-${++asked}`,
  });
  const body = { name: 'Shop', allowed_origins: ['https://shop.example'] };
  const { data } = await client.POST('/sites', { body });
  await client.POST('/sites', { body, headers: { 'Idempotency-Key': 'mine' } });
  await client.GET('/me');
  expect(data).toEqual({ id: 'site_1' });
  const keys = requests.map(({ headers }) => headers.get('Idempotency-Key'));
  expect(requests.map(({ url, headers }) => [url, headers.get('Authorization')])).toEqual([
    ['https://api.example/api/v1/sites', 'Bearer token-1'],
    ['https://api.example/api/v1/sites', 'Bearer token-2'],
    ['https://api.example/api/v1/me', 'Bearer token-3'],
  ]);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), 'mine', null]);
});

it('sends no idempotency key to a path that refuses it', async () => {
  const { client, requests } = over(() => json({}));
  await client.POST('/sites/{site_id}/origins/check', {
    params: { path: { site_id: 'site_1' } },
    body: { origin: 'https://shop.example' },
  });
  expect(requests[0]?.headers.has('Idempotency-Key')).toBe(false);
});

it('returns a problem as the error', async () => {
  const { client } = over(() => refusal(404, 'not_found'));
  const { data, error, response } = await client.GET('/sites/{site_id}', {
    params: { path: { site_id: 'site_1' } },
  });
  expect([data, error?.code, response.status]).toEqual([undefined, 'not_found', 404]);
});

it('returns the pages of a list', async () => {
  const { client, requests } = over(({ url }) => {
    const offset = Number(new URL(url).searchParams.get('offset'));
    return json({ data: [{ id: `site_${offset}` }], pagination: { limit: 1, offset, has_more: offset < 2 } });
  });
  const ids: string[] = [];
  for await (const { data } of pages(client, '/sites', { query: { limit: 1, sort: 'name' } }))
    ids.push(...(data?.data.map(({ id }) => id) ?? []));
  expect(ids).toEqual(['site_0', 'site_1', 'site_2']);
  expect(requests.map(({ url }) => new URL(url).search)).toEqual([
    '?limit=1&sort=name',
    '?limit=1&sort=name&offset=1',
    '?limit=1&sort=name&offset=2',
  ]);
});

it('follows the link to the next page, with its cursor', async () => {
  const { client, requests } = over(({ url }) => {
    const isLast = new URL(url).searchParams.has('cursor');
    const pagination = { limit: 1, offset: 0, has_more: !isLast };
    return json(
      { data: [{}], pagination },
      200,
      isLast ? {} : { Link: '<?limit=1&cursor=a%2Bb>; rel="next"' },
    );
  });
  for await (const { error } of pages(client, '/audit-events', { query: { limit: 1 } }))
    expect(error).toBe(undefined);
  expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?limit=1', '?limit=1&cursor=a%2Bb']);
});

it('ends a list after a problem, and after a page without items', async () => {
  const codes: (string | undefined)[] = [];
  const refused = over(() => refusal(403, 'insufficient_permission'));
  for await (const { error } of pages(refused.client, '/agents')) codes.push(error?.code);
  const empty = over(() => json({ data: [], pagination: { limit: 1, offset: 0, has_more: true } }));
  for await (const { error } of pages(empty.client, '/agents/{agent_id}/connectors', {
    path: { agent_id: 'agt_1' },
  }))
    codes.push(error?.code);
  expect(codes).toEqual(['insufficient_permission', undefined]);
});

it('compiles only for paths and parameters that exist', () => {
  const { client } = over(() => json({}));
  // @ts-expect-error no such path
  void (() => client.GET('/nothing'));
  // @ts-expect-error a list of an agent needs the agent
  void (() => pages(client, '/agents/{agent_id}/connectors'));
  // @ts-expect-error no list
  void (() => pages(client, '/me'));
  expect(() => over(() => json({}), { baseUrl: 'http://api.example' })).toThrow(TypeError);
});
