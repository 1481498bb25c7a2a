import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pageOf } from '@legate/pagination';
import { type Connection, createPool, createTenantDatabase } from '@legate/postgres';
import { APPLICATION_ROLE } from '../../storage/database.ts';
import type { TenantReader } from '../../storage/reader.ts';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { AuditEvent } from './audit-event.ts';

let api: TestApi;
let acme: Client;
let first: string;
let second: string;
beforeAll(async () => {
  api = await createTestApi();
  acme = await clientOf(api, 'org_acme', { roles: ['owner'] });
  const bob = await clientOf(api, 'org_acme', { sub: 'user_bob', roles: ['developer'] });
  first = (await acme('post', '/sites', { name: 'First' })).body.id;
  second = (await bob('post', '/sites', { name: 'Second' })).body.id;
  await acme('patch', `/sites/${first}`, { name: 'First again' });
});
afterAll(() => api.close());

const list = async (query = '', client = acme) =>
  pageOf(AuditEvent).parse((await client('get', `/audit-events${query}`)).body);
const summary = async (query: string) =>
  (await list(query)).data.map((event) => [event.action, event.targets[0]?.name]);

it('lists events, newest first, and returns each by its id', async () => {
  expect(await summary('')).toEqual([
    ['site.updated', 'First again'],
    ['site.created', 'Second'],
    ['member.joined', null],
    ['site.created', 'First'],
    ['member.joined', null],
    ['organization.created', 'org_acme'],
  ]);
  expect((await list('?sort=occurred_at')).data).toEqual([...(await list()).data].reverse());
  for (const event of (await list()).data) {
    expect((await acme('get', `/audit-events/${event.id}`)).body).toEqual(event);
  }
  const page = await list('?limit=1&offset=1');
  expect([page.data[0]?.targets[0]?.name, page.pagination]).toEqual([
    'Second',
    { total: 6, limit: 1, offset: 1, has_more: true },
  ]);
});

it('filters by action, actor, target and time', async () => {
  expect(await summary('?action=site.updated')).toEqual([['site.updated', 'First again']]);
  expect(await summary('?actor_id=user_bob')).toEqual([
    ['site.created', 'Second'],
    ['member.joined', null],
  ]);
  expect(await summary(`?target_id=${first}&action=site.created`)).toEqual([['site.created', 'First']]);
  expect(await summary(`?target_id=${second}&actor_id=user_alice`)).toEqual([]);
  const [newest] = (await list()).data;
  const time = newest?.occurred_at ?? '';
  expect(await summary(`?from=${time}&action=site.updated`)).toHaveLength(1);
  expect(await summary(`?to=${time}&action=site.updated`)).toHaveLength(0);
});

it('omits events older than 30 days, unless they are requested', async () => {
  await api.database.asOwner(async (owner) => {
    await owner.query(
      `INSERT INTO audit_events (id, organization_id, action, actor, context, occurred_at)
       VALUES ('evt_old', 'org_old', 'site.created', '{"type":"system","id":"s","email":null}',
         '{"request_id":null,"ip":null,"user_agent":null}', $1)`,
      [new Date(api.now().getTime() - 31 * 24 * 3600 * 1000)],
    );
  });
  const client = await clientOf(api, 'org_old', { roles: ['owner'] });
  expect((await list('?action=site.created', client)).data).toEqual([]);
  const all = await list('?from=2020-01-01T00:00:00Z&action=site.created', client);
  expect(all.data).toMatchObject([{ id: 'evt_old' }]);
  expect((await client('get', '/audit-events/evt_old')).status).toBe(200);
});

it('shows nothing to another organization', async () => {
  const globex = await clientOf(api, 'org_globex', { roles: ['owner'] });
  const own = (await list('', globex)).data.map(({ action }) => action);
  expect(own).toEqual(['member.joined', 'organization.created']);
  const [event] = (await list()).data;
  expect((await globex('get', `/audit-events/${event?.id}`)).status).toBe(404);
  expect((await acme('get', '/audit-events/%00')).status).toBe(404);
});

it.each([
  ['from=yesterday', 'from', 'invalid_format'],
  ['to=2026-01-01', 'to', 'invalid_format'],
  ['action=', 'action', 'too_short'],
  ['actor_id=%00', 'actor_id', 'invalid_format'],
  ['sort=created_at', 'sort', 'invalid_enum'],
])('refuses %s', async (query, parameter, fault) => {
  const answer = await acme('get', `/audit-events?${query}`);
  expect([answer.status, answer.body.errors]).toEqual([
    400,
    [expect.objectContaining({ parameter, code: fault })],
  ]);
});

it('cannot be written to, and needs audit:read', async () => {
  expect((await acme('post', '/audit-events', {})).headers.allow).toBe('GET, HEAD');
  const [event] = (await list()).data;
  expect((await acme('delete', `/audit-events/${event?.id}`)).status).toBe(405);
  const limited = await clientOf(api, 'org_acme', { scope: 'sites:read' });
  expect((await limited('get', '/audit-events')).body.required_scope).toBe('audit:read');
});

it('is read from the replica, as usage is, and from the primary while the replica is down', async () => {
  const open = (connection: Connection) =>
    createPool({ connection, applicationName: 'test', onError: () => undefined });
  const gone = open({ connectionString: 'postgres://postgres@127.0.0.1:1/postgres' });
  const away: unknown[] = [];
  const asked: string[] = [];
  for (const pool of [api.database.pool, gone]) {
    const { queryAsTenant } = createTenantDatabase(pool, { role: APPLICATION_ROLE });
    const replica: TenantReader = {
      queryAsTenant(organizationId, statement) {
        asked.push(statement.name);
        return queryAsTenant(organizationId, statement);
      },
    };
    const other = await createTestApi({ beside: api, replica: { replica, onAway: (err) => away.push(err) } });
    const reader = await clientOf(other, 'org_acme', { roles: ['owner'] });
    expect((await list('', reader)).data).toHaveLength(6);
    expect((await reader('get', '/usage')).status).toBe(200);
    expect((await reader('get', '/sites')).status).toBe(200);
    expect((await list('', await clientOf(other, 'org_globex', { roles: ['owner'] }))).data).toHaveLength(2);
  }
  await gone.end();
  expect(asked).toEqual([
    ...['audit_list_-occurred_at', 'audit_names', 'usage_read', 'audit_list_-occurred_at', 'audit_names'],
    ...['audit_list_-occurred_at'], // the replica is not used after that
  ]);
  expect(away).toHaveLength(1);
});
