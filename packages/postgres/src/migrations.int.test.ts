import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createTenantDatabase, requireMigrations, type TenantDatabase } from './index.ts';
import { createTestDatabase, type TestDatabase } from './testing/index.ts';

const migrations = fileURLToPath(new URL('./testing/migrations', import.meta.url));

let database: TestDatabase;
let tenants: TenantDatabase;
let directory: string;
beforeAll(async () => {
  database = await createTestDatabase({ migrations, role: 'legate_notes_app' });
  tenants = createTenantDatabase(database.pool, { role: 'legate_notes_app' });
});
afterAll(() => database.drop());

/** A directory that begins with the same migration as the database. */
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'legate-migrations-'));
  await add('0001_notes', 'SELECT 1; -- stands for the one that was applied');
});
afterEach(() => rm(directory, { recursive: true }));

const add = (name: string, text: string) => writeFile(join(directory, `${name}.sql`), text);
const migrate = () => database.migrate(directory);
const asOwner = async (text: string) =>
  (await database.asOwner((client) => client.query(text))).rows as unknown[];

it('rolls back a failing migration and reports its error', async () => {
  await add('0002_bad', 'CREATE TABLE half (id int); CREATE TABLE bad (id nonsense);');
  await expect(migrate()).rejects.toThrow('nonsense');
  expect(await asOwner("SELECT to_regclass('half')::text AS half")).toEqual([{ half: null }]);
});

it('retries if another session blocks a lock', async () => {
  await asOwner('CREATE SEQUENCE attempts');
  const met = "IF nextval('attempts') < 3 THEN RAISE lock_not_available; END IF;";
  await add('0002_patient', `DO $$ BEGIN ${met} END $$;`);
  expect(await migrate()).toEqual(['0002_patient']);
  expect(await asOwner("SELECT nextval('attempts')::int AS next")).toEqual([{ next: 4 }]);
  await asOwner("DELETE FROM schema_migrations WHERE name = '0002_patient'");
});

it('reports the first missing migration to an application that does not migrate', async () => {
  await expect(requireMigrations(tenants, directory)).resolves.toBeUndefined();
  await add('0002_next', 'SELECT 1;');
  await add('0003_last', 'SELECT 1;');
  await expect(requireMigrations(tenants, directory)).rejects.toMatchObject({
    name: 'SchemaTooOld',
    message: 'the database lacks the migration 0002_next',
  });
});

it('refuses a database whose first migration is a different one, with and without migrating', async () => {
  await rm(join(directory, '0001_notes.sql'));
  await add('0001_baseline', 'CREATE TABLE baseline (id int);');
  const refused = {
    name: 'SchemaOfDevelopment',
    message: 'this database was made by a development version before 0.1: create a new one',
  };
  await expect(migrate()).rejects.toMatchObject(refused);
  await expect(requireMigrations(tenants, directory)).rejects.toMatchObject(refused);
  expect(await asOwner("SELECT to_regclass('baseline')::text AS baseline")).toEqual([{ baseline: null }]);
});

it('applies each migration once, even if two processes migrate at the same time', async () => {
  await add('0002_slow', 'CREATE TABLE slow (id int); SELECT pg_sleep(0.1);');
  // The embedded server has a single session, which its own advisory lock does not block, and it cannot serve a second
  // process.
  const both = process.env.TEST_DATABASE_URL
    ? await Promise.all([migrate(), migrate()])
    : [await migrate(), await migrate()];
  expect(both.flat()).toEqual(['0002_slow']);
});

it('lets an older application start and migrate if the schema is newer', async () => {
  expect(await asOwner("SELECT name FROM schema_migrations WHERE name = '0002_slow'")).toHaveLength(1);
  expect(await migrate()).toEqual([]);
  await expect(requireMigrations(tenants, directory)).resolves.toBeUndefined();
});
