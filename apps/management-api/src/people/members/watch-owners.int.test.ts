import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTenantDatabase } from '@legate/postgres';
import { createTestDatabase, type TestDatabase } from '@legate/postgres/testing';
import { Registry } from '@legate/service';
import { APPLICATION_ROLE, MIGRATIONS } from '../../storage/database.ts';
import { createOwnerCount } from './watch-owners.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS, role: APPLICATION_ROLE });
});
afterAll(() => database.drop());

const member = (organization: string, role: string, removed = false) =>
  database.asOwner(async (owner) => {
    await owner.query(
      'INSERT INTO organizations (id, name) VALUES ($1::text, $1::text) ON CONFLICT DO NOTHING',
      [organization],
    );
    await owner.query(
      `INSERT INTO members (organization_id, user_id, id, role, removed_at)
       VALUES ($1::text, $2::text, $1 || $2, $2, CASE WHEN $3::bool THEN now() END)`,
      [organization, role, removed],
    );
  });

it('counts the organizations that have members but no active owner', async () => {
  await member('org_owned', 'owner');
  await member('org_owned', 'viewer');
  await member('org_of_viewers', 'viewer');
  await member('org_left', 'owner', true);
  await member('org_left', 'admin');
  await member('org_empty', 'owner', true);
  const registry = new Registry();
  const tenants = createTenantDatabase(database.pool, { role: APPLICATION_ROLE });
  await createOwnerCount({ tenants, registry })();
  expect(await registry.metrics()).toContain('organizations_without_owner 2');
});
