import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import { APPLICATION_ROLE } from '../../storage/database.ts';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { isStillAdmitted } from './still-admitted.ts';

let api: TestApi;
let tenants: TenantDatabase;
let owner: Client;
let organization: string;
let account: string;
let key: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
  tenants = createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE });
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = `org_${++count}`;
  owner = await clientOf(api, organization, { roles: ['owner'] });
  const made = await owner('post', '/service-accounts', { name: 'SIEM', role: 'admin' });
  account = `/service-accounts/${made.body.id}`;
  const { body } = await owner('post', `${account}/keys`, { name: 'K', scopes: ['audit:export'] });
  key = body.id;
});

const isAdmitted = (keyId: string | null) => {
  const accountId = account.split('/').at(-1) ?? '';
  const reader = {
    role: 'admin',
    userId: UserId.parse(accountId),
    clientId: null,
    machine: { accountId, keyId },
  } as const;
  return isStillAdmitted(tenants, OrganizationId.parse(organization), reader);
};

it('lets a machine receive a long response while its account and key are valid', async () => {
  expect([await isAdmitted(key), await isAdmitted(null)]).toEqual([true, true]);
});

it.each<[string, () => Promise<unknown>, [boolean, boolean]]>([
  ['its key was revoked', () => owner('delete', `${account}/keys/${key}`), [false, true]],
  ['its account was disabled', () => owner('patch', account, { status: 'disabled' }), [false, false]],
  ['its account was deleted', () => owner('delete', account), [false, false]],
  [
    'its role does not allow it any more',
    () => owner('patch', account, { role: 'developer' }),
    [false, false],
  ],
  ['its organization was suspended', () => owner('post', '/organization/suspend'), [false, false]],
])('ends the long response to a machine once %s', async (_case, end, expected) => {
  await end();
  expect([await isAdmitted(key), await isAdmitted(null)]).toEqual(expected);
});
