import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { createTenantDatabase, type Statement, type TenantDatabase } from '@legate/postgres';
import { createRateLimiter } from '@legate/rate-limit';
import { generateEncryptionKeys } from '@legate/secure-store';
import { createOrganizationStore } from '../../callers/standing/organization-store.ts';
import { createSecretCipher } from '../../catalog/connectors/secret-cipher.ts';
import { createMakeChange, type MakeChange } from '../../changes/change.ts';
import { systemAuthor } from '../../domain/author.ts';
import { createPurgeStore } from '../../jobs/purge/store.ts';
import { saveConnectors } from '../../jobs/seed/connector-seed.ts';
import { saveSeed } from '../../jobs/seed/organization-seed.ts';
import { type OperatorCommand, runOperatorCommand } from '../../operator-commands.ts';
import { APPLICATION_ROLE } from '../../storage/database.ts';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { createRecordOrganization } from '../onboarding/organization-record.ts';

let api: TestApi;
let tenants: TenantDatabase;
let makeChange: MakeChange;
let id: OrganizationId;
let owner: Client;
let count = 0;
beforeAll(async () => {
  const clock = () => api.now();
  api = await createTestApi({ limiter: createRateLimiter({ clock }) });
  tenants = createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE });
  makeChange = createMakeChange(tenants);
});
afterAll(() => api.close());
beforeEach(async () => {
  id = OrganizationId.parse(`org_gone_${++count}`);
  owner = await clientOf(api, id, { sub: 'user_owner', roles: ['owner'] });
});

const sql = async (text: string, ...values: unknown[]) =>
  (await api.database.asOwner((database) => database.query(text, [id, ...values]))).rows;
const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const rowsThere = async () => (await sql('SELECT FROM organizations WHERE id = $1')).length;
const actionsOf = async () => (await auditTrailOf(api, id)).map(({ action }) => action);

async function purge(): Promise<void> {
  expect((await owner('delete', `/organization?confirm=${id}`)).status).toBe(202);
  await sql("UPDATE organizations SET purge_at = now() - interval '1 hour' WHERE id = $1");
  await createPurgeStore(tenants).deleteDue('organizations', new Date(), 10);
  api.advanceSeconds(2);
}

const run = (name: OperatorCommand, as = tenants) =>
  runOperatorCommand(name, { tenants: as, clock: api.now }, { organization: id, reason: 'Ticket 42' });

/** Runs a command with the login of the tables' owner. */
const runAsOwner = (name: OperatorCommand) =>
  run(name, {
    ...tenants,
    withTenant: (organizationId, work) =>
      api.database.asOwner(async (client) => {
        await client.query("SELECT set_config('app.organization_id', $1, true)", [organizationId]);
        return work({
          query: async <Row>({ text, values = [] }: Statement) =>
            (await client.query(text, [...values])).rows as Row[],
        });
      }),
  });

describe('an organization', () => {
  it('is created by the first token that names it, with one event, even by concurrent requests', async () => {
    const users = await Promise.all([1, 2, 3, 4].map((i) => clientOf(api, id, { sub: `user_${i}` })));
    const answers = await Promise.all(users.map((user) => user('get', '/sites')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await auditTrailOf(api, id)).toMatchObject([
      {
        action: 'organization.created',
        actor: { type: 'system' },
        changes: { name: { from: null, to: id } },
        details: { cause: 'first_token', user_id: expect.stringMatching(/^user_[1-4]$/) },
      },
    ]);
  });

  it('is created by the seed, with one event, and renamed without one', async () => {
    const store = createOrganizationStore(makeChange);
    const plan = { name: 'free', requestsPerMinute: null } as const;
    for (const name of ['Acme', 'Acme', 'Acme Corp']) expect(await store.save({ id, name, plan })).toBe(true);
    expect(await auditTrailOf(api, id)).toMatchObject([
      { action: 'organization.created', details: { cause: 'seed' }, changes: { name: { to: 'Acme' } } },
    ]);
    expect((await owner('get', '/organization')).body.name).toBe('Acme Corp');
  });
});

describe('a purged organization', () => {
  it('leaves an event that the service recorded', async () => {
    await purge();
    expect(await rowsThere()).toBe(0);
    expect((await auditTrailOf(api, id)).at(-1)).toMatchObject({
      action: 'organization.purged',
      actor: { type: 'system', id: 'management-api', email: null },
      targets: [{ type: 'organization', id, name: id }],
    });
    const [event] = await sql(
      "SELECT id FROM audit_events WHERE organization_id = $1 AND action = 'organization.purged'",
    );
    expect(event?.id).toMatch(/^evt_[0-9A-Z]{26}$/);
  });

  it('is not created again by a token that is still valid: the request is counted, and refused', async () => {
    await purge();
    for (const path of ['/me', '/sites', '/organization', '/audit-events']) {
      const refused = await owner('get', path);
      expect(code(refused)).toEqual([403, 'organization_deleted']);
      expect(refused.body).toMatchObject({ organization_status: 'deleted', purge_at: null });
      expect(refused.headers['x-ratelimit-limit']).toBe('60');
    }
    expect(code(await owner('get', '/rate-limit'))).toEqual([403, 'organization_deleted']);
    expect(code(await owner('post', '/organization/restore'))).toEqual([403, 'organization_deleted']);
    expect(await rowsThere()).toBe(0);
  });

  it('is refused even if its row exists again', async () => {
    await purge();
    await sql("INSERT INTO organizations (id, name) VALUES ($1, 'Revived')");
    expect(code(await owner('get', '/sites'))).toEqual([403, 'organization_deleted']);
  });

  it('is not created again by onboarding', async () => {
    await purge();
    const record = createRecordOrganization(makeChange);
    const user = { issuer: 'i', userId: UserId.parse('user_owner'), email: null, name: null };
    await expect(record(systemAuthor(id), { id, name: 'Acme', owner: user })).rejects.toMatchObject({
      code: 'organization_deleted',
    });
    expect(await rowsThere()).toBe(0);
  });

  it('is not created again by the seed, and neither are its connectors', async () => {
    await purge();
    const skipped: string[] = [];
    const organizations = [{ id, name: 'Acme', plan: 'free' as const, requests_per_minute: null }];
    const connector = {
      id: ConnectorId.parse('con_seed'),
      organization_ids: [id],
      name: 'Tools',
      resource_url: 'https://tools.example',
      client_id: 'hub',
      secret: 'the-secret-of-the-hub',
      scopes: [],
    };
    const seed = { development: false, organizations, connectors: [connector], service_accounts: [] };
    await saveSeed(seed, createOrganizationStore(makeChange), (gone) => skipped.push(gone));
    await saveConnectors([connector], { tenants, cipher: createSecretCipher(generateEncryptionKeys()) });
    expect([skipped, await rowsThere()]).toEqual([[id], 0]);
  });

  it('can be created again, empty, once the operator allows it', async () => {
    await owner('post', '/sites', { name: 'Portal' });
    await purge();
    await expect(run('allow-again')).rejects.toThrow(/permission denied/);
    await runAsOwner('allow-again');
    api.advanceSeconds(2);
    expect((await owner('get', '/sites')).body.data).toEqual([]);
    const { data } = (await owner('get', '/audit-events?action=organization.purged')).body;
    expect(data).toMatchObject([{ actor: { type: 'system' }, context: { request_id: null, ip: null } }]);
    expect(await actionsOf()).toEqual([
      'organization.created',
      'organization.deleted',
      'organization.purged',
      'organization.allowed_again',
      'organization.created',
    ]);
    expect((await auditTrailOf(api, id)).at(-2)).toMatchObject({ details: { reason: 'Ticket 42' } });
  });

  it('is the only kind that the operator can allow again', async () => {
    await owner('get', '/me');
    await expect(runAsOwner('allow-again')).rejects.toThrow('no such organization was purged');
  });
});

describe('the operator', () => {
  it('suspends an organization, notifies the hub, and reactivates the organization', async () => {
    await owner('get', '/me');
    await run('suspend');
    api.advanceSeconds(2);
    expect(code(await owner('post', '/organization/reactivate'))).toEqual([403, 'suspended_by_operator']);
    expect(await sql('SELECT reason FROM pending_revocations WHERE organization_id = $1')).toEqual([
      { reason: 'organization.suspended' },
    ]);
    await run('reactivate');
    api.advanceSeconds(2);
    expect((await owner('get', '/sites')).status).toBe(200);
    expect((await auditTrailOf(api, id)).slice(1)).toMatchObject([
      {
        action: 'organization.suspended',
        actor: { type: 'system' },
        details: { reason: 'Ticket 42' },
        changes: { suspended_by: { from: null, to: 'operator' } },
      },
      { action: 'organization.reactivated', actor: { type: 'system' }, details: { reason: 'Ticket 42' } },
    ]);
  });

  it('takes over the suspension of an owner, and may end it', async () => {
    await owner('get', '/me');
    const { suspended_at } = (await owner('post', '/organization/suspend')).body;
    api.advanceSeconds(5);
    await run('suspend');
    api.advanceSeconds(2);
    expect((await owner('get', '/organization')).body).toMatchObject({
      suspended_by: 'operator',
      suspended_at,
    });
    await run('reactivate');
    api.advanceSeconds(2);
    expect((await owner('get', '/organization')).body.status).toBe('active');
  });

  it('restores a deleted organization, which stays suspended if it was', async () => {
    await owner('get', '/me');
    await owner('delete', `/organization?confirm=${id}`);
    await run('suspend');
    await run('restore');
    api.advanceSeconds(2);
    expect((await owner('get', '/organization')).body).toMatchObject({
      status: 'suspended',
      suspended_by: 'operator',
      purge_at: null,
    });
  });

  it.each(['suspend', 'reactivate', 'restore'] as const)(
    'cannot %s an organization that does not exist',
    async (name) => {
      await expect(run(name)).rejects.toMatchObject({ code: 'organization_deleted' });
      expect(await actionsOf()).toEqual([]);
    },
  );
});
