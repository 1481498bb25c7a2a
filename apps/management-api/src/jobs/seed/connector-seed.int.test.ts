import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId } from '@legate/ids';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import { generateEncryptionKeys } from '@legate/secure-store';
import { createSecretCipher } from '../../catalog/connectors/secret-cipher.ts';
import { createReadSecret } from '../../catalog/connectors/secrets.ts';
import { APPLICATION_ROLE } from '../../storage/database.ts';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { type SeedConnector, saveConnectors } from './connector-seed.ts';

const keys = generateEncryptionKeys();
const cipher = createSecretCipher(keys);
const SEED: Omit<SeedConnector, 'organization_ids'> = {
  id: ConnectorId.parse('con_reference'),
  name: 'Reference tools',
  resource_url: 'https://tools.example',
  client_id: 'tool-hub',
  secret: 'the-hubs-secret',
  scopes: ['a'],
};

let api: TestApi;
let tenants: TenantDatabase;
let organizations: OrganizationId[];
let acme: Client;
let count = 0;

beforeAll(async () => {
  api = await createTestApi({ connectorKeys: keys });
  tenants = createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE });
});
afterAll(() => api.close());
beforeEach(async () => {
  organizations = [`org_a${++count}`, `org_b${count}`].map((id) => OrganizationId.parse(id));
  for (const id of organizations)
    await (await clientOf(api, id, { roles: ['admin'] }))('get', '/organization'); // creates the organization
  acme = await clientOf(api, organizations[0], { roles: ['admin'] });
});

const save = (change: Partial<SeedConnector> = {}) =>
  saveConnectors(
    [{ ...SEED, organization_ids: organizations.map((id) => OrganizationId.parse(id)), ...change }],
    { tenants, cipher },
  );
const read = async () => (await acme('get', '/connectors/con_reference')).body;

it('gives each organization a connector with its secret', async () => {
  await save();
  for (const id of organizations) {
    expect(
      await createReadSecret({ tenants, cipher })(
        OrganizationId.parse(id),
        ConnectorId.parse('con_reference'),
      ),
    ).toBe('the-hubs-secret');
  }
  await acme('delete', '/connectors/con_reference');
  const globex = await clientOf(api, organizations[1], { roles: ['admin'] });
  expect((await globex('get', '/connectors/con_reference')).body).toMatchObject({
    name: SEED.name,
    enabled: true,
  });
});

it("keeps an administrator's changes, and updates the address of a tool server that has moved", async () => {
  await save();
  await acme('patch', '/connectors/con_reference', { name: 'Mine', scopes: ['b'], enabled: false });
  await save({
    name: 'Other',
    resource_url: 'https://moved.example',
    secret: 'another-secret',
    scopes: ['c'],
  });
  expect(await read()).toMatchObject({
    name: 'Mine',
    scopes: ['b'],
    enabled: false,
    resource_url: 'https://moved.example',
  });
  expect(
    await createReadSecret({ tenants, cipher })(
      OrganizationId.parse(organizations[0]),
      ConnectorId.parse('con_reference'),
    ),
  ).toBe('another-secret');
});

it('keeps the endpoint that an administrator set, until the tool server has moved', async () => {
  await save();
  const mcp_url = new URL('/http?a=1', SEED.resource_url).href;
  expect((await acme('patch', '/connectors/con_reference', { mcp_url })).status).toBe(200);
  await save();
  expect(await read()).toMatchObject({ mcp_url });
  await save({ resource_url: 'https://moved.example' });
  expect(await read()).toMatchObject({ mcp_url: null });
});

it('does not restore a deleted connector, and does not change one with another method', async () => {
  await save();
  const other = { auth_method: 'oauth-pkce', resource_url: 'https://mine.example' };
  expect((await acme('patch', '/connectors/con_reference', other)).status).toBe(200);
  await save();
  expect(await read()).toMatchObject(other);
  await acme('delete', '/connectors/con_reference');
  await save();
  expect((await read()).code).toBe('not_found');
});

it('does not prevent a start if an administrator has already registered the resource', async () => {
  const body = { name: 'Mine', resource_url: SEED.resource_url, client_id: 'c', secret: 'the-other-secret' };
  expect((await acme('post', '/connectors', body)).status).toBe(201);
  await save();
  expect((await read()).code).toBe('not_found');
});
