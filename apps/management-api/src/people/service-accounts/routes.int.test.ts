import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let owner: Client;
let organization: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = `org_${++count}`;
  owner = await clientOf(api, organization, { roles: ['owner'], name: 'Alice' });
});

const create = (client: Client, body: object = {}) =>
  client('post', '/service-accounts', { name: 'CI', role: 'developer', ...body });

it('creates an account, and records it in the audit trail', async () => {
  const made = await create(owner, { description: 'Deploys' });
  expect([made.status, made.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^sva_[0-9A-Z]{26}$/),
      name: 'CI',
      description: 'Deploys',
      role: 'developer',
      status: 'active',
      client: null,
      keys: 0,
      created_by: { type: 'user', id: 'user_alice', name: 'Alice' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  ]);
  const { id } = made.body;
  expect(made.headers.location).toBe(`/api/v1/service-accounts/${id}`);
  const read = await owner('get', `/service-accounts/${id}`);
  expect([read.body, read.headers.etag]).toEqual([made.body, made.headers.etag]);
  const [event] = await auditTrailOf(api, id);
  expect(event).toMatchObject({
    action: 'service_account.created',
    targets: [{ type: 'service_account', id, name: 'CI' }],
    changes: { role: { from: null, to: 'developer' } },
  });
});

it('lists accounts in the requested order, and by role, status and part of the name', async () => {
  for (const [name, role] of [
    ['Terraform', 'admin'],
    ['CI', 'developer'],
    ['Backup', 'viewer'],
  ])
    await create(owner, { name, role });
  const names = async (query: string) =>
    (await owner('get', `/service-accounts?${query}`)).body.data.map((item: { name: string }) => item.name);
  expect(await names('sort=name')).toEqual(['Backup', 'CI', 'Terraform']);
  expect(await names('sort=-created_at')).toEqual(['Backup', 'CI', 'Terraform']);
  expect(await names('role=admin')).toEqual(['Terraform']);
  expect(await names('status=disabled')).toEqual([]);
  expect(await names('search=AC')).toEqual(['Backup']);
});

it('changes an account by a merge patch if the caller knows its current version', async () => {
  const { body, headers } = await create(owner);
  const path = `/service-accounts/${body.id}`;
  const changed = await owner(
    'patch',
    path,
    { name: 'CD', role: 'viewer' },
    { 'If-Match': headers.etag ?? '' },
  );
  expect([changed.status, changed.body.name, changed.body.role]).toEqual([200, 'CD', 'viewer']);
  const stale = await owner('patch', path, { name: 'X' }, { 'If-Match': headers.etag ?? '' });
  expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
  const same = await owner('patch', path, { name: 'CD' });
  expect(same.headers.etag).toBe(changed.headers.etag);
  const events = await auditTrailOf(api, body.id);
  expect(events.map(({ action }) => action)).toEqual(['service_account.created', 'service_account.updated']);
});

it.each([
  ['an owner', { role: 'owner' }, '/role'],
  ['an unknown status', { status: 'gone' }, '/status'],
  ['a client', { client: { subject: 'x' } }, '/client'],
  ['a description with a control character', { description: 'a\u0007' }, '/description'],
])('refuses a patch with %s', async (_case, patch, pointer) => {
  const { id } = (await create(owner)).body;
  const answer = await owner('patch', `/service-accounts/${id}`, patch);
  expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, pointer]);
});

it('deletes an account permanently', async () => {
  const { id } = (await create(owner)).body;
  expect((await owner('delete', `/service-accounts/${id}`)).status).toBe(204);
  expect((await owner('get', `/service-accounts/${id}`)).status).toBe(404);
  expect((await owner('get', '/service-accounts')).body.data).toEqual([]);
  expect((await owner('delete', `/service-accounts/${id}`)).status).toBe(404);
});

it('allows 50 accounts at most, and twice as many including those deleted this month', async () => {
  const fill = (present: number, deleted: number) =>
    api.database.asOwner((database) =>
      database.query(
        `INSERT INTO service_accounts (organization_id, id, name, role, deleted_at)
         SELECT $1, 'sva_' || n, 'CI', 'viewer', CASE WHEN n > $2 THEN now() END
         FROM generate_series(1, $2::int + $3::int) n`,
        [organization, present, deleted],
      ),
    );
  await create(owner);
  await fill(48, 50);
  expect((await create(owner)).status).toBe(201);
  const full = await create(owner);
  expect([full.status, full.body.code]).toEqual([409, 'quota_exceeded']);
});

it('creates only one of three concurrent accounts at the limit', async () => {
  await create(owner);
  await api.database.asOwner((database) =>
    database.query(
      `INSERT INTO service_accounts (organization_id, id, name, role)
       SELECT $1, 'sva_' || n, 'CI', 'viewer' FROM generate_series(1, 48) n`,
      [organization],
    ),
  );
  const answers = await Promise.all([create(owner), create(owner), create(owner)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});

describe('a machine gets at most the rights of its maker', () => {
  it.each([
    ['an admin', { roles: ['admin'] }, 'admin', 201],
    ['a developer', { roles: ['developer'] }, 'viewer', 403],
    [
      'an admin with a token that is limited to less',
      { roles: ['admin'], scope: 'credentials:write' },
      'viewer',
      403,
    ],
    [
      'an admin with a token that has what a viewer may',
      {
        roles: ['admin'],
        scope:
          'credentials:write org:read members:read domains:read sites:read agents:read connectors:read audit:read usage:read',
      },
      'viewer',
      201,
    ],
  ])('%s', async (_case, claims, role, status) => {
    await create(owner);
    const client = await clientOf(api, organization, { sub: 'user_bob', ...claims });
    const answer = await create(client, { role });
    expect(answer.status).toBe(status);
  });

  it('by the current role of the maker, even when an account is enabled again', async () => {
    const { id } = (await create(owner, { role: 'admin' })).body;
    await owner('patch', `/service-accounts/${id}`, { status: 'disabled' });
    const limited = await clientOf(api, organization, { roles: ['owner'], scope: 'credentials:write' });
    const enabled = await limited('patch', `/service-accounts/${id}`, { status: 'active' });
    expect([enabled.status, enabled.body.code]).toEqual([403, 'role_escalation']);
    expect((await limited('patch', `/service-accounts/${id}`, { name: 'Old CI' })).status).toBe(200);

    const admin = await clientOf(api, organization, { sub: 'user_bob', roles: ['admin'] });
    expect((await create(admin, { role: 'admin' })).status).toBe(201);
    await api.database.asOwner((database) =>
      database.query(
        "UPDATE members SET role = 'viewer' WHERE organization_id = $1 AND user_id = 'user_bob'",
        [organization],
      ),
    );
    // The process still has the admin cached, since the clock stands still.
    const demoted = await create(admin, { role: 'developer' });
    expect([demoted.status, demoted.body.code]).toEqual([403, 'role_escalation']);
  });
});
