import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId } from '@legate/ids';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import { parseEncryptionKeys, UnreadableEntry } from '@legate/secure-store';
import { APPLICATION_ROLE } from '../../storage/database.ts';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { createSecretCipher } from './secret-cipher.ts';
import { createReadSecret } from './secrets.ts';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;
const SECRET = 'the-hubs-secret';

let api: TestApi;
let tenants: TenantDatabase;
let count = 0;
beforeAll(async () => {
  api = await createTestApi({ connectorKeys: parseEncryptionKeys(OLD) });
  tenants = createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE });
});
afterAll(() => api.close());
const others: TestApi[] = [];
afterEach(() => Promise.all(others.splice(0).map((other) => other.close())));

const readWith = (keys: string) =>
  createReadSecret({ tenants, cipher: createSecretCipher(parseEncryptionKeys(keys)) });
const owner = (text: string, values: unknown[] = []) =>
  api.database.asOwner(async (connection) => (await connection.query(text, values)).rows);

async function create(client: Client, headers = {}): Promise<string> {
  const body = { name: 'C', resource_url: `https://c${++count}.example`, client_id: 'hub', secret: SECRET };
  const created = await client('post', '/connectors', body, headers);
  expect(created.status).toBe(201);
  return created.body.id;
}

it('is not in the database, neither in plain text nor as a guessable hash', async () => {
  const acme = await clientOf(api, 'org_acme', { roles: ['admin'] });
  const id = await create(acme, { 'Idempotency-Key': 'k' });
  await acme('patch', `/connectors/${id}`, { secret: SECRET });
  await acme('put', `/connectors/${id}/secret`, { secret: SECRET });
  const tables = await owner("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  let all = '';
  for (const { tablename } of tables)
    all += JSON.stringify(await owner(`SELECT t::text FROM ${tablename} t`));
  const hex = (text: string) => Buffer.from(text).toString('hex');
  expect(all).toContain(id);
  expect(all).toContain(hex('old')); // the id of the key, stored with the encrypted secret
  expect(all).not.toContain(SECRET);
  expect(all).not.toContain(hex(SECRET));
  expect(all).not.toContain(Buffer.from(SECRET).toString('base64').replace(/=+$/, ''));
  expect(await readWith(OLD)(OrganizationId.parse('org_acme'), ConnectorId.parse(id))).toBe(SECRET);
});

it('cannot be read from another connector, nor from another organization', async () => {
  const acme = await clientOf(api, 'org_acme', { roles: ['admin'] });
  const globex = await clientOf(api, 'org_globex', { roles: ['admin'] });
  const [from, ...to] = [await create(acme), await create(acme), await create(globex)];
  for (const id of to) {
    await owner(
      'UPDATE connectors SET secret = (SELECT secret FROM connectors WHERE id = $1) WHERE id = $2',
      [from, id],
    );
  }
  await expect(
    readWith(OLD)(OrganizationId.parse('org_acme'), ConnectorId.parse(to[0])),
  ).rejects.toBeInstanceOf(UnreadableEntry);
  await expect(
    readWith(OLD)(OrganizationId.parse('org_globex'), ConnectorId.parse(to[1])),
  ).rejects.toBeInstanceOf(UnreadableEntry);
  expect(await readWith(OLD)(OrganizationId.parse('org_globex'), ConnectorId.parse(from))).toBeUndefined();
});

it('is encrypted with the new key when it is read, so that the old key can be removed', async () => {
  const acme = await clientOf(api, 'org_acme', { roles: ['admin'] });
  const id = await create(acme);
  const before = await acme('get', `/connectors/${id}`);
  await expect(readWith(NEW)(OrganizationId.parse('org_acme'), ConnectorId.parse(id))).rejects.toBeInstanceOf(
    UnreadableEntry,
  );
  expect(await readWith(`${NEW},${OLD}`)(OrganizationId.parse('org_acme'), ConnectorId.parse(id))).toBe(
    SECRET,
  );
  expect(await readWith(NEW)(OrganizationId.parse('org_acme'), ConnectorId.parse(id))).toBe(SECRET);
  await expect(readWith(OLD)(OrganizationId.parse('org_acme'), ConnectorId.parse(id))).rejects.toBeInstanceOf(
    UnreadableEntry,
  );
  const after = await acme('get', `/connectors/${id}`);
  expect([after.headers.etag, after.body]).toEqual([before.headers.etag, before.body]);
});

it('is refused if there are no keys, while connectors without a secret work', async () => {
  const keyless = await createTestApi({ beside: api, connectorKeys: undefined });
  others.push(keyless);
  const acme = await clientOf(keyless, 'org_acme', { roles: ['admin'] });
  const body = { name: 'C', resource_url: 'https://c.example', client_id: 'hub' };
  const refused = await acme('post', '/connectors', { ...body, secret: SECRET });
  expect([refused.status, refused.body.code]).toEqual([503, 'secrets_unavailable']);
  const created = await acme('post', '/connectors', { ...body, auth_method: 'oauth-pkce' });
  expect([created.status, created.body.has_secret]).toEqual([201, false]);
});
