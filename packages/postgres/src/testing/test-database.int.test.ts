import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const OPTIONS = {
  migrations: fileURLToPath(new URL('./migrations', import.meta.url)),
  role: 'legate_notes_app',
};

let database: TestDatabase | undefined;
afterEach(() => database?.drop());

/** Uses a database like a test suite, and drops it. @returns the next database */
async function afterUse(...statements: string[]): Promise<TestDatabase> {
  const used = await createTestDatabase(OPTIONS);
  for (const statement of statements) await used.asOwner((owner) => owner.query(statement));
  await used.drop();
  database = await createTestDatabase(OPTIONS);
  return database;
}

const answer = ({ asOwner }: TestDatabase, statement: string) =>
  asOwner(async (owner) => (await owner.query<{ answer: unknown }>(statement)).rows[0]?.answer);

it('has no rows of the previous suite, and its migrations are recorded', async () => {
  const next = await afterUse("INSERT INTO notes VALUES ('org_a', 'left behind')");
  expect(await answer(next, 'SELECT count(*)::int AS answer FROM notes')).toBe(0);
  expect(await next.migrate(OPTIONS.migrations)).toEqual([]);
});

it.each([
  ['a table', 'CREATE TABLE left_behind (id int)', "SELECT to_regclass('left_behind') IS NULL AS answer"],
  [
    'a column',
    'ALTER TABLE notes ADD COLUMN left_behind int',
    "SELECT count(*) = 0 AS answer FROM pg_attribute WHERE attname = 'left_behind'",
  ],
  [
    'a dropped policy',
    'ALTER TABLE notes DISABLE ROW LEVEL SECURITY',
    "SELECT relrowsecurity AS answer FROM pg_class WHERE oid = 'notes'::regclass",
  ],
  [
    'a grant',
    'GRANT TRUNCATE ON notes TO legate_notes_app',
    "SELECT NOT has_table_privilege('legate_notes_app', 'notes', 'TRUNCATE') AS answer",
  ],
  [
    "a role's setting",
    `DO $$ BEGIN
       EXECUTE format('ALTER ROLE legate_notes_app IN DATABASE %I SET statement_timeout = 1000', current_database());
     END $$`,
    'SELECT count(*) = 0 AS answer FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase WHERE datname = current_database()',
  ],
  [
    'a setting of the session',
    "SET SESSION work_mem = '123kB'",
    "SELECT current_setting('work_mem') <> '123kB' AS answer",
  ],
  [
    'a sequence that counted',
    'CREATE SEQUENCE left_behind',
    "SELECT count(*) = 0 AS answer FROM pg_sequences WHERE sequencename = 'left_behind'",
  ],
])('does not keep %s of the previous suite', async (_what, statement, isAsBefore) => {
  expect(await answer(await afterUse(statement), isAsBefore)).toBe(true);
});
