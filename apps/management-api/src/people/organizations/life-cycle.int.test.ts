import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { OrganizationBody } from './organization.ts';

const DAY_MS = 24 * 3600 * 1000;

let api: TestApi;
let id: string;
let owner: Client;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  id = `org_cycle_${++count}`;
  owner = await asRole('owner');
});

async function asRole(role: string): Promise<Client> {
  const client = await clientOf(api, id, { sub: `user_${role}`, roles: [role] });
  expect((await client('get', '/me')).status).toBe(200);
  return client;
}
const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const statusOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  OrganizationBody.parse(body).status,
];
const inDays = (days: number) => new Date(api.now().getTime() + days * DAY_MS).toISOString();
/** Returns the organization's audit trail without the event of its creation. */
const trail = async () => (await auditTrailOf(api, id)).slice(1);
const actionsOf = async () => (await trail()).map(({ action }) => action);
const sql = (text: string, ...values: unknown[]) =>
  api.database.asOwner((database) => database.query(text, [id, ...values]));
/** Changes the organization as another process would. */
const beforeNow = async (set: string) => {
  await sql(`UPDATE organizations SET ${set} WHERE id = $1`);
  api.advanceSeconds(2);
};
const remove = (client: Client) => client('delete', `/organization?confirm=${id}`);

describe('suspending an organization', () => {
  it('refuses its members at once, with the reason, and can be undone by an owner', async () => {
    const [viewer, admin] = [await asRole('viewer'), await asRole('admin')];
    const suspended = await owner('post', '/organization/suspend', { reason: 'Leaked token' });
    expect(suspended.status).toBe(200);
    expect(OrganizationBody.parse(suspended.body)).toMatchObject({
      status: 'suspended',
      suspended_by: 'owner',
      suspended_at: api.now().toISOString(),
      purge_at: null,
    });
    for (const path of ['/sites', '/organization', '/me', '/rate-limit']) {
      const refused = await viewer('get', path);
      expect(code(refused)).toEqual([403, 'organization_suspended']);
      expect(refused.body).toMatchObject({ organization_status: 'suspended', purge_at: null });
    }
    expect((await admin('get', '/me')).body.role).toBe('admin');
    expect(statusOf(await admin('get', '/organization'))).toEqual([200, 'suspended']);
    expect(code(await admin('get', '/members'))).toEqual([403, 'organization_suspended']);
    expect(code(await owner('get', '/sites'))).toEqual([403, 'organization_suspended']);

    expect(statusOf(await owner('post', '/organization/reactivate'))).toEqual([200, 'active']);
    expect((await viewer('get', '/sites')).status).toBe(200);
    expect(await trail()).toMatchObject([
      {
        action: 'organization.suspended',
        details: { reason: 'Leaked token' },
        changes: {
          status: { from: 'active', to: 'suspended' },
          suspended_by: { from: null, to: 'owner' },
        },
      },
      { action: 'organization.reactivated', changes: { status: { from: 'suspended', to: 'active' } } },
    ]);
  });

  it('leaves owners the audit trail, its export and the operations that take rights away', async () => {
    const admin = await asRole('admin');
    await owner('post', '/organization/suspend');
    const listed = await owner('get', '/audit-events');
    expect([listed.status, listed.body.data[0].action]).toEqual([200, 'organization.suspended']);
    expect((await owner('get', `/audit-events/${listed.body.data[0].id}`)).status).toBe(200);
    const exported = await owner('get', '/audit-events/export?format=ndjson');
    expect([exported.status, exported.text.includes('"end":true')]).toEqual([200, true]);
    const members = await owner('get', '/members');
    const { id: member } = members.body.data.find(({ role }: { role: string }) => role === 'admin');
    expect((await owner('post', `/members/${member}/deactivate`)).body.status).toBe('deactivated');
    expect(code(await admin('get', '/me'))).toEqual([403, 'organization_suspended']);
    expect(code(await owner('post', `/members/${member}/reinstate`))).toEqual([
      403,
      'organization_suspended',
    ]);
  });

  it('lets an owner disable a connector, but not change it otherwise', async () => {
    const body = {
      name: 'B',
      resource_url: 'https://mcp.acme.com/b',
      client_id: 'hub',
      secret: 'a-long-secret',
    };
    const connector = await owner('post', '/connectors', body);
    const path = `/connectors/${connector.body.id}`;
    await owner('post', '/organization/suspend');
    expect(code(await owner('patch', path, { name: 'C' }))).toEqual([403, 'organization_suspended']);
    expect((await owner('patch', path, { enabled: false })).body.enabled).toBe(false);
    expect(code(await owner('patch', path, { enabled: true }))).toEqual([403, 'organization_suspended']);
  });

  it('lets nobody become a member while it is suspended, whatever their token contains', async () => {
    await owner('post', '/organization/suspend');
    const stranger = await clientOf(api, id, { sub: 'user_stranger', roles: ['owner'] });
    expect(code(await stranger('post', '/organization/reactivate'))).toEqual([403, 'organization_suspended']);
    const { rows } = await sql('SELECT user_id FROM members WHERE organization_id = $1');
    expect(rows).toEqual([{ user_id: 'user_owner' }]);
  });

  it('may be repeated, like reactivating, and is recorded once', async () => {
    const times = [];
    for (let i = 0; i < 2; i++) {
      times.push((await owner('post', '/organization/suspend')).body.suspended_at);
      api.advanceSeconds(5);
    }
    expect(times[0]).toBe(times[1]);
    for (let i = 0; i < 2; i++) await owner('post', '/organization/reactivate');
    expect(await actionsOf()).toEqual(['organization.suspended', 'organization.reactivated']);
  });

  it.each([
    ['by a command', "suspended_by = 'operator', suspended_at = now()"],
    ['by SQL, which names nobody', 'version = version'],
  ])('by the operator, %s, cannot be ended by an owner', async (_when, set) => {
    await beforeNow(`status = 'suspended', ${set}`);
    expect((await owner('get', '/organization')).body).toMatchObject({ suspended_by: 'operator' });
    expect((await owner('post', '/organization/suspend')).body.suspended_by).toBe('operator');
    expect(code(await owner('post', '/organization/reactivate'))).toEqual([403, 'suspended_by_operator']);
    expect(await actionsOf()).toEqual([]);
  });

  it.each(['admin', 'developer', 'viewer'])('is refused to the role %s', async (role) => {
    const client = await asRole(role);
    for (const path of ['suspend', 'reactivate', 'restore']) {
      const refused = await client('post', `/organization/${path}`);
      expect([refused.status, refused.body.required_scope]).toEqual([403, 'org:write']);
    }
    expect((await client('delete', `/organization?confirm=${id}`)).body.required_scope).toBe('org:write');
  });
});

describe('deleting an organization', () => {
  it('refuses its members at once, and returns the time until which it can be restored', async () => {
    const viewer = await asRole('viewer');
    const deleted = await remove(owner);
    expect(statusOf(deleted)).toEqual([202, 'deleted']);
    expect(deleted.body).toMatchObject({ deleted_at: inDays(0), purge_at: inDays(30), suspended_by: null });
    const refused = await viewer('get', '/sites');
    expect(code(refused)).toEqual([403, 'organization_deleted']);
    expect(refused.body).toMatchObject({ organization_status: 'deleted', purge_at: inDays(30) });
    expect((await owner('get', '/audit-events')).body.data[0].action).toBe('organization.deleted');
    expect(await trail()).toMatchObject([
      {
        action: 'organization.deleted',
        changes: { status: { from: 'active', to: 'deleted' }, purge_at: { from: null, to: inDays(30) } },
      },
    ]);
  });

  it('marks it as suspended in the database, with the time of its purge', async () => {
    await remove(owner);
    const { rows } = await sql('SELECT status, purge_at FROM organizations WHERE id = $1');
    expect(rows).toEqual([{ status: 'suspended', purge_at: new Date(inDays(30)) }]);
  });

  it('does not postpone the purge when repeated', async () => {
    await remove(owner);
    const purgeAt = inDays(30);
    api.advanceSeconds(3600);
    const again = await remove(owner);
    expect([again.status, again.body.purge_at]).toEqual([202, purgeAt]);
    expect(await actionsOf()).toEqual(['organization.deleted']);
  });

  it.each([
    ['another name', '?confirm=other', 409, 'confirmation_mismatch'],
    ['no name', '', 400, 'validation_failed'],
  ])('refuses %s, and does not delete the organization', async (_case, query, status, problem) => {
    expect(code(await owner('delete', `/organization${query}`))).toEqual([status, problem]);
    expect((await owner('get', '/organization')).body.status).toBe('active');
  });

  it('makes its verified domains pending, so that other organizations can verify them', async () => {
    const insert = `INSERT INTO domains (id, organization_id, domain, verification_token, state, verified_at, check_at)
      VALUES ('dom_' || $1, $1, 'cycle.example', repeat('x', 40), 'verified', now(), now())`;
    await sql(insert.replaceAll('$1', '$1::text'));
    await remove(owner);
    await owner('post', '/organization/restore');
    expect((await owner('get', '/domains')).body.data).toMatchObject([
      { state: 'pending', verified_at: null },
    ]);
    expect((await trail())[0]).toMatchObject({ details: { domains_to_verify: 1 } });
  });
});

describe('restoring an organization', () => {
  it('makes it active again, and changes nothing when repeated', async () => {
    await remove(owner);
    expect(code(await owner('post', '/organization/reactivate'))).toEqual([403, 'organization_deleted']);
    for (let i = 0; i < 2; i++) {
      const restored = await owner('post', '/organization/restore');
      expect(statusOf(restored)).toEqual([200, 'active']);
      expect(restored.body).toMatchObject({ deleted_at: null, purge_at: null });
    }
    expect((await owner('get', '/sites')).status).toBe(200);
    expect(await actionsOf()).toEqual(['organization.deleted', 'organization.restored']);
  });

  it.each([
    ['an owner', (): Promise<unknown> => owner('post', '/organization/suspend'), 'owner'],
    ['the operator, by SQL,', () => beforeNow("status = 'suspended'"), 'operator'],
  ])('keeps the suspension that %s began before the deletion', async (_case, suspend, by) => {
    await suspend();
    expect(statusOf(await remove(owner))).toEqual([202, 'deleted']);
    const restored = await owner('post', '/organization/restore');
    expect([...statusOf(restored), restored.body.suspended_by]).toEqual([200, 'suspended', by]);
  });

  it('is refused once the time of the purge has come', async () => {
    await remove(owner);
    await beforeNow(`purge_at = '${inDays(0)}'`);
    const refused = await owner('post', '/organization/restore');
    expect([...code(refused), refused.body.purge_at]).toEqual([403, 'organization_deleted', null]);
  });
});
