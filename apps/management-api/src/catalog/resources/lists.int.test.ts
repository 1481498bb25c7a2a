import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let acme: Client;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  acme = await clientOf(api, `org_${++count}`, { roles: ['admin'] });
});

describe.each(['sites', 'agents', 'connectors'])('a list of %s', (kind) => {
  async function create(name: string): Promise<string> {
    const resource_url = `https://${name.toLowerCase()}-${count}.example`;
    const ofConnector = { resource_url, client_id: 'hub', secret: 'a-secret-of-some-length' };
    const made = await acme('post', `/${kind}`, { name, ...(kind === 'connectors' && ofConnector) });
    expect(made.status).toBe(201);
    return made.body.id;
  }
  const list = async (query: string) => (await acme('get', `/${kind}?${query}`)).body.data;
  const namesIn = async (query: string) => (await list(query)).map(({ name }: { name: string }) => name);

  it('contains versions on request, with which each item can be changed', async () => {
    const id = await create('First');
    await acme('patch', `/${kind}/${id}`, { name: 'Second' });
    const [plain] = await list('');
    const [{ version, ...rest }] = await list('include=version');
    expect(rest).toEqual(plain);
    expect(Object.hasOwn(plain, 'version')).toBe(false);
    const { headers } = await acme('get', `/${kind}/${id}`);
    expect(`"${version}"`).toBe(headers.etag);
    const change = (tag: string) => acme('patch', `/${kind}/${id}`, { name: 'Third' }, { 'If-Match': tag });
    expect((await change(`"${version}"`)).status).toBe(200);
    expect((await change(`"${version}"`)).status).toBe(412);
  });

  it('can be limited to items that have changed since a given time', async () => {
    const [first] = [await create('First'), await create('Second')];
    const { rows } = await api.database.asOwner((owner) =>
      owner.query(`UPDATE ${kind} SET updated_at = '2026-01-01T00:00:00Z' WHERE id = $1 RETURNING id`, [
        first,
      ]),
    );
    expect(rows).toHaveLength(1);
    expect(await namesIn('updated_since=2026-01-01T00:00:00Z')).toEqual(['First', 'Second']);
    expect(await namesIn('updated_since=2026-01-01T01:00:00.001%2B01:00')).toEqual(['Second']);
    await acme('patch', `/${kind}/${first}`, { name: 'Changed' });
    expect(await namesIn('updated_since=2026-01-02T00:00:00Z&sort=name')).toEqual(['Changed', 'Second']);
  });

  it.each([
    ['include=name', 'include'],
    ['include=version&include=version', 'include'],
    ['updated_since=yesterday', 'updated_since'],
    ['updated_since=2026-01-01', 'updated_since'],
  ])('refuses %s', async (query, parameter) => {
    const { status, body } = await acme('get', `/${kind}?${query}`);
    expect([status, body.errors]).toMatchObject([400, [{ parameter }]]);
  });
});

it('contains another version of a site once one of its origins has expired', async () => {
  const { id } = (await acme('post', '/sites', { name: 'A' })).body;
  const expires_at = new Date(api.now().getTime() + 3_600_000).toISOString();
  await acme('post', `/sites/${id}/origins`, { origin: 'https://a.example', expires_at });
  const versionNow = async () => (await acme('get', '/sites?include=version')).body.data[0].version;
  const before = await versionNow();
  api.advanceSeconds(3000);
  expect(await versionNow()).toBe(before);
  api.advanceSeconds(601);
  const after = await versionNow();
  expect(after).not.toBe(before);
  expect((await acme('get', `/sites/${id}`)).headers.etag).toBe(`"${after}"`);
});
