import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

const DAY_SECONDS = 24 * 3600;

let api: TestApi;
let acme: Client;
let organization: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = `org_${++count}`;
  acme = await clientOf(api, organization, { sub: 'user_admin', roles: ['admin'] });
});

const code = ({ status, body }: Response) => (status < 400 ? [status] : [status, body.code]);

describe.each([
  ['sites', 'site'],
  ['agents', 'agent'],
  ['connectors', 'connector'],
])('deleted %s', (kind, type) => {
  let number = 0;
  async function create(name: string, client = acme): Promise<string> {
    const resource_url = `https://tools-${++number}.example`;
    const ofConnector = { resource_url, client_id: 'hub', secret: 'a-secret-of-some-length' };
    const made = await client('post', `/${kind}`, { name, ...(kind === 'connectors' && ofConnector) });
    expect(made.status).toBe(201);
    return made.body.id;
  }
  async function deleted(name: string): Promise<string> {
    const id = await create(name);
    expect((await acme('delete', `/${kind}/${id}`)).status).toBe(204);
    return id;
  }
  const namesIn = async (query: string, client = acme) =>
    (await client('get', `/${kind}?${query}`)).body.data.map(({ name }: { name: string }) => name);
  const rowsOf = async (id: string) =>
    (await api.database.asOwner((owner) => owner.query(`SELECT FROM ${kind} WHERE id = $1`, [id]))).rowCount;

  it('are listed, the last deleted one first, with their data and the time until which they can be restored', async () => {
    await create('Present');
    const id = await create('First');
    const [before] = (await acme('get', `/${kind}?search=First`)).body.data;
    const { headers } = await acme('get', `/${kind}/${id}`);
    await acme('delete', `/${kind}/${id}`);
    const deletedAt = api.now();
    api.advanceSeconds(60);
    await deleted('Second');
    expect(await namesIn('deleted=true')).toEqual(['Second', 'First']);
    expect(await namesIn('deleted=true&sort=deleted_at')).toEqual(['First', 'Second']);
    expect(await namesIn('deleted=true&sort=-name')).toEqual(['Second', 'First']);
    const list = await acme('get', `/${kind}?deleted=true&search=first`);
    const until = new Date(deletedAt.getTime() + 30 * DAY_SECONDS * 1000);
    expect(list.body.data).toEqual([
      {
        ...before,
        ...('updated_at' in before && { updated_at: expect.any(String) }),
        deleted_at: deletedAt.toISOString(),
        restorable_until: until.toISOString(),
        version: expect.any(String),
      },
    ]);
    expect(`"${list.body.data[0].version}"`).not.toBe(headers.etag);
    expect(list.body.pagination.total).toBe(1);
    expect((await acme('post', `/${kind}/${id}/restore`)).headers.etag).not.toBe(headers.etag);
    expect(await namesIn('deleted=true')).toEqual(['Second']);
  });

  it('are not in the plain list, nor in the list with deleted=false', async () => {
    await deleted('Gone');
    await create('Present');
    for (const query of ['', 'deleted=false']) {
      const { data } = (await acme('get', `/${kind}?${query}`)).body;
      expect(data.map(({ name }: { name: string }) => name)).toEqual(['Present']);
      expect(data[0]).not.toHaveProperty('deleted_at');
    }
    expect(code(await acme('get', `/${kind}?sort=deleted_at`))).toEqual([400, 'validation_failed']);
    expect(code(await acme('get', `/${kind}?deleted=yes`))).toEqual([400, 'validation_failed']);
  });

  it('are listed as long as they can be restored, exact to the millisecond', async () => {
    const id = await deleted('Gone');
    api.advanceSeconds(30 * DAY_SECONDS - 1);
    expect(await namesIn('deleted=true', await again())).toEqual(['Gone']);
    api.advanceSeconds(1);
    const client = await again();
    expect(await namesIn('deleted=true', client)).toEqual([]);
    expect((await client('post', `/${kind}/${id}/restore`)).status).toBe(404);
  });
  const again = () => clientOf(api, organization, { sub: 'user_admin', roles: ['admin'] });

  it('are not shown to another organization', async () => {
    await deleted('Gone');
    const other = await clientOf(api, `${organization}_other`, { roles: ['owner'] });
    expect(await namesIn('deleted=true', other)).toEqual([]);
  });

  it('are purged one by one, which is recorded in the audit trail, and cannot be restored afterwards', async () => {
    const [id, kept] = [await deleted('Gone'), await deleted('Kept')];
    expect((await acme('post', `/${kind}/${id}/purge`)).status).toBe(204);
    expect([await rowsOf(id), await rowsOf(kept)]).toEqual([0, 1]);
    expect(code(await acme('post', `/${kind}/${id}/restore`))).toEqual([404, 'not_found']);
    expect(code(await acme('post', `/${kind}/${id}/purge`))).toEqual([404, 'not_found']);
    expect((await auditTrailOf(api, id)).at(-1)).toMatchObject({
      action: `${type}.purged`,
      actor: { id: 'user_admin' },
      targets: [{ type, id, name: 'Gone' }],
    });
  });

  it('are the only items that can be purged: not existing ones, nor those of another organization', async () => {
    const present = await create('Present');
    expect(code(await acme('post', `/${kind}/${present}/purge`))).toEqual([404, 'not_found']);
    const foreign = await deleted('Gone');
    const other = await clientOf(api, `${organization}_other`, { roles: ['owner'] });
    expect(code(await other('post', `/${kind}/${foreign}/purge`))).toEqual([404, 'not_found']);
    expect([await rowsOf(present), await rowsOf(foreign)]).toEqual([1, 1]);
  });

  it('cannot be purged by a developer, who may delete', async () => {
    const id = await deleted('Gone');
    const developer = await clientOf(api, organization, { sub: 'user_developer', roles: ['developer'] });
    const refused = await developer('post', `/${kind}/${id}/purge`);
    expect(code(refused)).toEqual([403, 'insufficient_permission']);
    expect(await rowsOf(id)).toBe(1);
  });
});

it('leave no binding after an agent is purged, and no origin after a site is purged', async () => {
  const site = (await acme('post', '/sites', { name: 'S', allowed_origins: ['https://a.example'] })).body.id;
  const agent = (await acme('post', '/agents', { name: 'A' })).body.id;
  await acme('put', `/sites/${site}/agents/${agent}`);
  await acme('delete', `/sites/${site}`);
  await acme('delete', `/agents/${agent}`);
  expect((await acme('post', `/sites/${site}/purge`)).status).toBe(204);
  expect((await acme('post', `/agents/${agent}/purge`)).status).toBe(204);
  const left = await api.database.asOwner(async (owner) => {
    const links = await owner.query('SELECT FROM site_agents WHERE organization_id = $1', [organization]);
    const origins = await owner.query('SELECT FROM site_origins WHERE organization_id = $1', [organization]);
    return [links.rowCount, origins.rowCount];
  });
  expect(left).toEqual([0, 0]);
});
