import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import { createTestDatabase, type TestDatabase } from '@legate/postgres/testing';
import { APPLICATION_ROLE, MIGRATIONS } from '../../storage/database.ts';
import { migrationsUpTo } from '../../testing/migrations-up-to.ts';
import type { ResourceList } from './deleted.ts';
import { createResourceStore } from './resource-store.ts';

let database: TestDatabase;
let tenants: TenantDatabase;
/** Has the rows of before the triggers. */
let earlier: string;
beforeAll(async () => {
  earlier = await migrationsUpTo(2);
  database = await createTestDatabase({ migrations: earlier, role: APPLICATION_ROLE });
  tenants = createTenantDatabase(database.pool, { role: APPLICATION_ROLE });
});
afterAll(async () => {
  await database.drop();
  await rm(earlier, { recursive: true });
});

const asOwner = (...texts: string[]) =>
  database.asOwner(async (owner) => {
    for (const text of texts) await owner.query(text);
  });
const asTenant = (organization: string, text: string) =>
  tenants.withTenant(organization, (connection) => connection.query({ text }));

const TABLES = ['sites', 'agents', 'connectors'] as const;
type Table = (typeof TABLES)[number];

/** SQL that inserts a row for each id. */
function insert(table: Table, organization: string, ...ids: string[]): string {
  const more = { sites: '', agents: '', connectors: ', slug, resource_url, client_id, enabled' }[table];
  const rows = ids.map((id) => {
    const values = table === 'connectors' ? `, '${id}', 'https://${id}.example', 'hub', false` : '';
    return `('${organization}', '${id}', 'Name'${values})`;
  });
  return `INSERT INTO ${table} (organization_id, id, name${more}) VALUES ${rows.join(', ')}`;
}

async function totalOf(table: Table, organization: string): Promise<number> {
  const store = createResourceStore<{ id: string }, ResourceList>(tenants, {
    name: table,
    table,
    json: "json_build_object('id', r.id)",
    filters: () => [],
  });
  const { pagination } = await store.list(OrganizationId.parse(organization), { limit: 1, offset: 0 });
  return pagination.total;
}

it('counts the rows that were there before, and those that change during the migration', async () => {
  await asOwner("INSERT INTO organizations (id, name) VALUES ('org_old', 'Old')");
  for (const table of TABLES) await asTenant('org_old', insert(table, 'org_old', 'a', 'b', 'c'));
  await asTenant('org_old', "UPDATE sites SET deleted_at = now() WHERE id = 'a'");
  let migrated = false;
  let written = 0;
  const writing = (async () => {
    while (!migrated) await asTenant('org_old', insert('agents', 'org_old', `meanwhile_${written++}`));
  })();
  await database.migrate(MIGRATIONS);
  migrated = true;
  await writing;
  const totals = await Promise.all(TABLES.map((table) => totalOf(table, 'org_old')));
  expect(totals).toEqual([2, 3 + written, 3]);
});

let organization: string;
let number = 0;
beforeEach(async () => {
  organization = `org_${++number}`;
  await asOwner(
    `INSERT INTO organizations (id, name) VALUES ('${organization}', 'A'), ('${organization}_b', 'B')`,
  );
});

describe.each(TABLES)('the total of the list of %s', (table) => {
  const total = () => totalOf(table, organization);
  const ids = (...names: string[]) => names.map((name) => `${name}-${number}`);
  const create = (...names: string[]) =>
    asTenant(organization, insert(table, organization, ...ids(...names)));
  const change = (set: string, ...names: string[]) =>
    asTenant(
      organization,
      `UPDATE ${table} SET ${set} WHERE id IN (${ids(...names).map((id) => `'${id}'`)})`,
    );
  const purge = (...names: string[]) =>
    asTenant(organization, `DELETE FROM ${table} WHERE id IN (${ids(...names).map((id) => `'${id}'`)})`);

  it('is the number of rows that are not deleted, after each kind of change', async () => {
    const steps: [string, () => Promise<unknown>, number][] = [
      ['nothing', async () => undefined, 0],
      ['create', () => create('a', 'b', 'c', 'd'), 4],
      ['rename', () => change("name = 'Other'", 'a', 'b'), 4],
      ['delete', () => change('deleted_at = now()', 'a', 'b'), 2],
      ['delete again', () => change("deleted_at = now() - interval '1 day'", 'a'), 2],
      ['restore', () => change('deleted_at = NULL', 'b'), 3],
      ['purge', () => purge('a'), 3],
      ['delete for good', () => purge('b', 'c'), 1],
      ['an update without rows', () => change('deleted_at = now()', 'none'), 1],
    ];
    for (const [step, work, expected] of steps) {
      await work();
      expect([step, await total()]).toEqual([step, expected]);
    }
  });

  it('does not contain what was rolled back, nor rows of another organization', async () => {
    await create('a');
    await asTenant(`${organization}_b`, insert(table, `${organization}_b`, ...ids('other', 'another')));
    const undone = tenants.withTenant(organization, async (connection) => {
      await connection.query({ text: insert(table, organization, ...ids('b')) });
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect([await total(), await totalOf(table, `${organization}_b`)]).toEqual([1, 2]);
  });

  it('is corrected after rows were loaded without triggers, and not changed by a second correction', async () => {
    await create('a', 'b');
    await asOwner(
      'SET LOCAL session_replication_role = replica',
      insert(table, organization, ...ids('c')),
      'SET LOCAL session_replication_role = origin',
    );
    expect(await total()).toBe(2);
    for (const _ of ['first', 'second']) {
      await asOwner('SELECT correct_resource_counts()');
      expect(await total()).toBe(3);
    }
  });

  it('starts from 0 after a TRUNCATE', async () => {
    await create('a', 'b');
    await asOwner(`TRUNCATE ${table} CASCADE`);
    await create('c');
    expect(await total()).toBe(1);
  });
});

it('counts each organization when one statement changes rows of several', async () => {
  const other = `${organization}_b`;
  const rows = [insert('sites', organization, 's-1', 's-2', 's-3'), insert('sites', other, 's-4', 's-5')];
  await asOwner(...rows, "UPDATE sites SET deleted_at = now() WHERE id IN ('s-1', 's-4', 's-5')");
  expect([await totalOf('sites', organization), await totalOf('sites', other)]).toEqual([2, 0]);
  await asOwner("DELETE FROM sites WHERE id IN ('s-1', 's-2', 's-4')");
  expect([await totalOf('sites', organization), await totalOf('sites', other)]).toEqual([1, 0]);
});
