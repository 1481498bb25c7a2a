import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runMigrations } from './index.ts';
import { createTestDatabase, type TestDatabase } from './testing/index.ts';

const migrations = fileURLToPath(new URL('./testing/migrations', import.meta.url));

let database: TestDatabase;
let directory: string;
beforeAll(async () => {
  database = await createTestDatabase({ migrations, role: 'legate_notes_app' });
  directory = await mkdtemp(join(tmpdir(), 'legate-migrations-'));
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

it('applies nothing of a set of migrations of which one fails, and says so', async () => {
  await writeFile(join(directory, '0001_notes.sql'), 'SELECT 1; -- stands for the one that was applied');
  await writeFile(join(directory, '0002_good.sql'), 'CREATE TABLE good (id int);');
  await writeFile(join(directory, '0003_bad.sql'), 'CREATE TABLE bad (id nonsense);');
  const migrating = runMigrations({ connection: database.ownerConnection, directory });
  await expect(migrating).rejects.toThrow('nonsense');
  const tables = await database.asOwner((client) => client.query("SELECT to_regclass('good')::text AS good"));
  expect(tables.rows).toEqual([{ good: null }]);
});
