import { copyFile, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS } from '../storage/database.ts';

/** Names of the migrations, in order */
export const MIGRATION_NAMES = (await readdir(MIGRATIONS))
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .map((file) => file.slice(0, -'.sql'.length));

/** Creates a directory with the first `count` migrations and with migrations of the test. The test removes it. */
export async function migrationsUpTo(count: number, further: Record<string, string> = {}): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'legate-migrations-'));
  for (const name of MIGRATION_NAMES.slice(0, count)) {
    await copyFile(join(MIGRATIONS, `${name}.sql`), join(directory, `${name}.sql`));
  }
  for (const [name, text] of Object.entries(further)) await writeFile(join(directory, `${name}.sql`), text);
  return directory;
}

/**
 * A possible migration of the next version: it only adds columns and tables. It is slow, and holds its locks
 * for all that time.
 */
export const NEXT_MIGRATION = `SET LOCAL lock_timeout = '300ms';
LOCK TABLE connectors, agents, audit_events;
ALTER TABLE connectors ADD COLUMN next text NOT NULL DEFAULT 'x', ADD CHECK (next <> '');
ALTER TABLE agents ADD COLUMN next int;
ALTER TABLE audit_events ADD COLUMN next jsonb;
CREATE INDEX ON agents (organization_id, next);
CREATE TABLE next (id int);
SELECT pg_sleep(0.5);`;
