import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { ulid } from 'ulid';
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
const overview = async (client = owner) => (await client('get', '/overview')).body;

it('counts only the first member in a new organization', async () => {
  expect(await overview(await clientOf(api, 'org_new'))).toEqual({
    connectors: { total: 0, ready: 0, error: 0, disabled: 0 },
    agents: { total: 0, active: 0, bound: 0 },
    sites: 0,
    members: 1,
    domains: { verified: 0, pending: 0 },
    first_call_at: null,
  });
});

it('counts existing resources, and omits deleted ones and bindings to disabled ones', async () => {
  const connector = (path: string, enabled: boolean) =>
    create('/connectors', {
      ...{ name: path, resource_url: `https://tools.example/${path}`, client_id: 'hub', enabled },
      secret: 'a-secret-of-some-length',
    });
  const [on, off] = [await connector('on', true), await connector('off', false)];
  const agent = async (status: string, bound?: string) => {
    const id = await create('/agents', { name: 'A', status });
    if (bound) await owner('put', `/agents/${id}/connectors/${bound}`);
    return id;
  };
  await agent('active', on);
  await agent('active', off);
  await agent('draft', on);
  await owner('delete', `/agents/${await agent('active', on)}?force=true`);
  await create('/sites', { name: 'Portal' });
  await create('/domains', { domain: 'acme.example.com' });
  await api.database.asOwner((database) =>
    database.query("UPDATE connectors SET status = 'ready' WHERE id = $1", [on]),
  );
  const answer = await overview();
  expect(answer).toEqual({
    connectors: { total: 2, ready: 1, error: 0, disabled: 1 },
    agents: { total: 3, active: 2, bound: 1 },
    sites: 1,
    members: 1,
    domains: { verified: 0, pending: 1 },
    first_call_at: null,
  });
});

it('contains the time of the first allowed call, as soon as the hub has reported it', async () => {
  const token = await api.workloadToken('internal:audit-events');
  const at = (minutesAgo: number) => api.now().getTime() - minutesAgo * 60_000;
  const event = (action: string, ms: number) => ({
    ...{ id: `evt_${ulid(ms)}`, organization_id: 'org_acme', action },
    ...{ occurred_at: new Date(ms).toISOString(), actor: { type: 'user', id: 'user_alice' } },
  });
  const events = [event('tool.denied', at(9)), event('tool.called', at(5)), event('tool.called', at(7))];
  await request(api.app).post('/internal/v1/audit-events').auth(token, { type: 'bearer' }).send({ events });
  expect((await overview()).first_call_at).toBe(new Date(at(7)).toISOString());
});

it('returns null for numbers that the scopes of the token do not allow', async () => {
  const limited = await clientOf(api, 'org_acme', { roles: ['owner'], scope: 'org:read sites:read' });
  expect(await overview(limited)).toEqual({
    ...{ connectors: null, agents: null, sites: 1, members: null, domains: null, first_call_at: null },
  });
});
