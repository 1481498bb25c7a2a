import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import { parseEncryptionKeys } from '@legate/secure-store';
import { APPLICATION_ROLE } from '../../storage/database.ts';
import { clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { resealSecrets } from './reseal.ts';
import { createSecretCipher } from './secret-cipher.ts';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;

let api: TestApi;
let tenants: TenantDatabase;
beforeAll(async () => {
  api = await createTestApi({ connectorKeys: parseEncryptionKeys(OLD) });
  tenants = createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE });
});
afterAll(() => api.close());

const reseal = (keys: string) =>
  resealSecrets({ tenants, cipher: createSecretCipher(parseEncryptionKeys(keys)) });
/** Ids of the keys in use, by the query of docs/operations/rotation.md */
const keysInUse = () =>
  api.database.asOwner(async (owner) => {
    const { rows } = await owner.query(
      `SELECT DISTINCT convert_from(substring(sealed FROM 3 FOR get_byte(sealed, 1)), 'UTF8') AS key
       FROM connectors, unnest(ARRAY[secret, fallback_secret]) sealed WHERE sealed IS NOT NULL`,
    );
    return rows.map(({ key }) => key);
  });

it('re-encrypts the secrets of all organizations with the newest key, including disabled and deleted connectors', async () => {
  const ids: string[] = [];
  for (const organization of ['org_acme', 'org_globex']) {
    const client = await clientOf(api, organization, { roles: ['admin'] });
    for (const name of ['used', 'disabled', 'deleted']) {
      const created = await client('post', '/connectors', {
        name,
        resource_url: `https://${name}.${organization.replace('_', '-')}.example`,
        client_id: 'hub',
        secret: 'the-hubs-secret',
      });
      expect(created.status).toBe(201);
      ids.push(created.body.id);
      const path = `/connectors/${created.body.id}`;
      if (name === 'disabled') await client('patch', path, { enabled: false });
      if (name === 'deleted') await client('delete', path);
    }
  }
  expect(await keysInUse()).toEqual(['old']);

  expect(await reseal(`${NEW},${OLD}`)).toEqual({ current: 0, resealed: 6, unreadable: [] });
  expect(await keysInUse()).toEqual(['new']);
  expect(await reseal(NEW)).toEqual({ current: 6, resealed: 0, unreadable: [] });

  const left = await reseal(OLD);
  expect(left).toMatchObject({ current: 0, resealed: 0 });
  expect(left.unreadable.map(({ connectorId }) => connectorId).sort()).toEqual(ids.sort());
});
