import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import request from 'supertest';
import { newSecretToken } from '../../domain/secret-token.ts';
import { APPLICATION_ROLE } from '../../storage/database.ts';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, ISSUER, type TestApi } from '../../testing/test-api.ts';
import { SeedServiceAccount, saveServiceAccounts } from './service-account-seed.ts';

const DAY_MS = 24 * 3600 * 1000;

let api: TestApi;
let tenants: TenantDatabase;
let owner: Client;
let organization: string;
let key: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
  tenants = createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE });
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = `org_${++count}`;
  key = newSecretToken('apiKey');
  owner = await clientOf(api, organization, { roles: ['owner'] });
  await owner('get', '/organization'); // creates the organization
});

const save = (now = api.now()) => {
  const account = SeedServiceAccount.parse({
    id: 'sva_ci',
    organization_id: organization,
    name: 'CI',
    role: 'developer',
    client_subject: 'ci',
    key: { id: 'key_ci', name: 'Development', key, scopes: ['sites:read'] },
  });
  return saveServiceAccounts([account], { tenants, issuer: ISSUER, clock: () => now });
};
const useKey = () => request(api.app).get('/api/v1/sites').auth(key, { type: 'bearer' });

it('gives an organization a machine that can call the API at once, with its key or through its client', async () => {
  await save();
  expect((await useKey()).status).toBe(200);
  const client = await clientOf(api, organization, { sub: 'ci', client_id: 'ci' });
  expect((await client('get', '/me')).body.user).toMatchObject({ type: 'service_account', id: 'sva_ci' });
  expect((await owner('get', '/service-accounts/sva_ci')).body).toMatchObject({ created_by: null, keys: 1 });
});

it("keeps an administrator's changes at the next start, and extends a valid key", async () => {
  await save();
  await owner('patch', '/service-accounts/sva_ci', { name: 'Mine', role: 'viewer' });
  await save(new Date(api.now().getTime() + DAY_MS));
  expect((await owner('get', '/service-accounts/sva_ci')).body).toMatchObject({
    name: 'Mine',
    role: 'viewer',
  });
  const read = async () => (await owner('get', '/service-accounts/sva_ci/keys/key_ci')).body;
  expect((await read()).expires_at).toBe(new Date(api.now().getTime() + 91 * DAY_MS).toISOString());
  await owner('delete', '/service-accounts/sva_ci/keys/key_ci');
  await save();
  expect((await useKey()).status).toBe(401);
});

it('does not restore a deleted account', async () => {
  await save();
  await owner('delete', '/service-accounts/sva_ci');
  await save();
  expect((await owner('get', '/service-accounts/sva_ci')).status).toBe(404);
  expect((await useKey()).status).toBe(401);
});

it('does not prevent a start if the organization was purged', async () => {
  await api.database.asOwner((database) =>
    database.query('DELETE FROM organizations WHERE id = $1', [organization]),
  );
  await save();
  expect((await useKey()).status).toBe(401);
});
