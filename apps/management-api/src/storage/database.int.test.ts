import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import { createTestDatabase, type TestDatabase } from '@legate/postgres/testing';
import { ensureAuditPartitions } from '../changes/audit-log.ts';
import { insertOneOfEach, TENANT_TABLES } from '../testing/one-of-each.ts';
import { APPLICATION_ROLE, MIGRATIONS } from './database.ts';

let database: TestDatabase;
let tenants: TenantDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS, role: APPLICATION_ROLE });
  tenants = createTenantDatabase(database.pool, { role: APPLICATION_ROLE });
  await database.asOwner(async (owner) => {
    for (const organization of ['org_a', 'org_b']) await insertOneOfEach(owner, organization);
  });
});
afterAll(() => database.drop());

it('connects with a role that cannot bypass policies', async () => {
  const { rows } = await database.pool.query(`SELECT current_user::text AS role, rolsuper, rolbypassrls,
    (SELECT count(*)::int FROM pg_tables WHERE tableowner = current_user) AS owned
    FROM pg_roles WHERE rolname = current_user`);
  expect(rows).toEqual([{ role: 'mgmt_app', rolsuper: false, rolbypassrls: false, owned: 0 }]);
});

it('forces row-level security on every table except the list of migrations', async () => {
  const { rows } = await database.asOwner((owner) =>
    owner.query(`SELECT relname::text AS name, relrowsecurity AND relforcerowsecurity AS forced FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`),
  );
  expect(rows.filter((row) => !row.forced).map((row) => row.name)).toEqual(['schema_migrations']);
  expect(rows.map((row) => row.name)).toEqual(expect.arrayContaining(TENANT_TABLES));
});

it.each(TENANT_TABLES)('gives a query on %s without a WHERE only the rows of one tenant', async (table) => {
  const column = table === 'organizations' ? 'id' : 'organization_id';
  const all = { name: `all_${table}`, text: `SELECT DISTINCT ${column}::text AS tenant FROM ${table}` };
  expect(await tenants.queryAsTenant('org_a', all)).toEqual([{ tenant: 'org_a' }]);
  expect(await tenants.queryAsTenant('org_b', all)).toEqual([{ tenant: 'org_b' }]);
  expect(await tenants.queryAsTenant('org_c', all)).toEqual([]);
  expect((await database.pool.query(all.text)).rows).toEqual([]);
});

it.each([
  ['sites', "UPDATE sites SET name = 'Stolen'"],
  ['site_origins', 'DELETE FROM site_origins'],
  ['members', 'DELETE FROM members'],
])('changes no row of another tenant with a statement on %s without a WHERE', async (table, text) => {
  const before = await rowsOf(table, 'org_b');
  const undo = tenants.withTenant('org_a', async (connection) => {
    await connection.query({ text });
    throw new Error('undo');
  });
  await expect(undo).rejects.toThrow('undo');
  await tenants.queryAsTenant('org_c', { name: `touch_${table}`, text });
  expect(await rowsOf(table, 'org_b')).toEqual(before);
});

async function rowsOf(table: string, org: string) {
  const { rows } = await database.asOwner((owner) =>
    owner.query(`SELECT * FROM ${table} WHERE organization_id = $1`, [org]),
  );
  expect(rows.length).toBeGreaterThan(0);
  return rows;
}

it('prevents writing a row for another tenant, or a link across tenants, even by the owner', async () => {
  const forged = {
    name: 'forge',
    text: "INSERT INTO sites (id, organization_id, name) VALUES ('s', 'org_b', 'x')",
  };
  await expect(tenants.queryAsTenant('org_a', forged)).rejects.toMatchObject({ code: '42501' });
  const crossed = database.asOwner((owner) =>
    owner.query(
      "INSERT INTO site_origins (organization_id, site_id, origin, position) VALUES ('org_a', 'site_org_b', 'https://b.example', 1)",
    ),
  );
  await expect(crossed).rejects.toMatchObject({ code: '23503' });
  const linked = database.asOwner((owner) =>
    owner.query(
      "INSERT INTO site_agents (organization_id, site_id, agent_id) VALUES ('org_a', 'site_org_a', 'agt_org_b')",
    ),
  );
  await expect(linked).rejects.toMatchObject({ code: '23503' });
  const bound = database.asOwner((owner) =>
    owner.query(
      "INSERT INTO agent_connectors (organization_id, agent_id, connector_id) VALUES ('org_a', 'agt_org_a', 'con_org_b')",
    ),
  );
  await expect(bound).rejects.toMatchObject({ code: '23503' });
});

it('may neither delete organizations nor change the audit trail or the schema', async () => {
  for (const text of [
    'DELETE FROM organizations',
    'ALTER TABLE sites DISABLE ROW LEVEL SECURITY',
    'DROP TABLE sites',
    "UPDATE audit_events SET action = 'nothing'",
    'DELETE FROM audit_events',
    'TRUNCATE audit_events',
    'UPDATE usage_days SET requests = 0',
    'DELETE FROM usage_days',
    'UPDATE resource_counts SET present = 0',
    'DELETE FROM resource_counts',
    "INSERT INTO resource_counts (organization_id, resource, present) VALUES ('org_a', 'sites', 1)",
    'SELECT correct_resource_counts()',
  ]) {
    const attempt = tenants.withTenant('org_a', (connection) => connection.query({ text }));
    await expect(attempt).rejects.toMatchObject({ code: '42501' });
  }
});

it("runs the owner's functions on the intended tables, whatever the application has created", async () => {
  const { rows: functions } = await database.asOwner((owner) =>
    owner.query(`SELECT proname::text AS name, has_function_privilege('public', oid, 'EXECUTE') AS for_everybody,
      'search_path=pg_catalog, public, pg_temp' = ANY (proconfig) AS temporary_last
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`),
  );
  expect(functions.length).toBeGreaterThan(5);
  expect(functions.filter((row) => row.for_everybody || !row.temporary_last)).toEqual([]);

  const counted = tenants.withTenant('org_a', async (connection) => {
    await connection.query({ text: 'CREATE TEMP TABLE usage_days (LIKE public.usage_days INCLUDING ALL)' });
    await connection.query({
      text: "SELECT add_usage('{org_a}', '{2026-02-01}', '{7}', '{0}')",
    });
    return connection.query({ text: 'SELECT requests::int FROM public.usage_days ORDER BY day' });
  });
  expect(await counted).toEqual([{ requests: 1 }, { requests: 7 }]);
});

it('reads the audit trail of a month only with the policies in force', async () => {
  const { rows } = await database.asOwner((owner) =>
    owner.query(
      "SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = 'audit_events'::regclass",
    ),
  );
  expect(rows.length).toBeGreaterThan(12);
  for (const { part } of rows) {
    const direct = tenants.withTenant('org_a', (connection) =>
      connection.query({ text: `SELECT * FROM ${part}` }),
    );
    await expect(direct).rejects.toMatchObject({ code: '42501' });
  }
});

it('creates the partitions of the coming months, even repeatedly, and stores events in them', async () => {
  await Promise.all([ensureAuditPartitions(tenants), ensureAuditPartitions(tenants)]);
  await ensureAuditPartitions(tenants);
  const { rows } = await database.asOwner((owner) =>
    owner.query('SELECT DISTINCT tableoid::regclass::text AS part FROM audit_events'),
  );
  expect(rows).toEqual([{ part: expect.stringMatching(/^audit_events_\d{4}_\d{2}$/) }]);
});
