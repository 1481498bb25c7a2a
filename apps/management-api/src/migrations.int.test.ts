import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@legate/postgres/testing';
import { APPLICATION_ROLE, MIGRATIONS } from './storage/database.ts';
import { MIGRATION_NAMES, migrationsUpTo, NEXT_MIGRATION } from './testing/migrations-up-to.ts';
import { ALL_TABLES, insertOneOfEach } from './testing/one-of-each.ts';
import { breaksBetween, readSchemaContract, type SchemaContract } from './testing/schema-contract.ts';

/**
 * Migrations that take away what no release since the one before them uses, with what they may break, and that release.
 * @see docs/management-api/operations.md
 */
const CONTRACTIONS: Readonly<Record<string, readonly string[]>> = {
  // Both replace a narrower check, so they refuse nothing that was accepted.
  '0002_token_exchange': [
    "may be refused by connectors: CHECK ((auth_method = ANY (ARRAY['id-jag'::text, 'passthrough'::text, 'service'::text, 'oauth-pkce'::text, 'token-exchange'::text])))",
    "may be refused by connectors: CHECK (((fallback <@ ARRAY['passthrough'::text, 'service'::text, 'oauth-pkce'::text, 'token-exchange'::text]) AND (cardinality(fallback) <= 4)))",
  ],
};

/**
 * All migrations except the baseline, which no release uses yet, and the example of a migration of the next
 * version
 */
const LATER: readonly (readonly [name: string, text: string])[] = [
  ...(await Promise.all(
    MIGRATION_NAMES.slice(1).map(
      async (name) => [name, await readFile(join(MIGRATIONS, `${name}.sql`), 'utf8')] as const,
    ),
  )),
  ['9998_next', NEXT_MIGRATION],
];

const directories: string[] = [];
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: await upTo(0), role: APPLICATION_ROLE });
});
afterAll(async () => {
  await database.drop();
  for (const directory of directories) await rm(directory, { recursive: true });
});

async function upTo(count: number, further?: Record<string, string>): Promise<string> {
  const directory = await migrationsUpTo(count, further);
  directories.push(directory);
  return directory;
}

const tablesThere = () =>
  database.asOwner(async (owner) => {
    const { rows } = await owner.query(`SELECT relname::text AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname <> 'schema_migrations'`);
    return rows.map(({ name }) => String(name));
  });

const rowsOf = (table: string) =>
  database.asOwner(async (owner) => {
    const { rows } = await owner.query(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY 1`);
    return rows.map(({ row }) => row as Record<string, unknown>);
  });

/** Applies one migration, and then adds a row to each table that exists. */
async function step(name: string, directory: string): Promise<SchemaContract> {
  const before = new Map<string, Record<string, unknown>[]>();
  for (const table of await tablesThere()) before.set(table, await rowsOf(table));

  expect(await database.migrate(directory)).toEqual([name]);

  for (const [table, rows] of before) {
    const after = await rowsOf(table);
    expect(after).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(row))));
  }
  const tables = await tablesThere();
  await database.asOwner((owner) => insertOneOfEach(owner, `org_${name}`, tables));
  return readSchemaContract(database);
}

it('migrates an empty database to the current schema, and keeps the rows of every earlier schema', async () => {
  let before: SchemaContract | undefined;
  for (const [index, name] of MIGRATION_NAMES.entries()) {
    const after = await step(name, await upTo(index + 1));
    if (before) expect([name, breaksBetween(before, after)]).toEqual([name, CONTRACTIONS[name] ?? []]);
    before = after;
  }
  expect((await tablesThere()).sort()).toEqual([...ALL_TABLES].sort());
});

it('does nothing the second time', async () => {
  const before = await readSchemaContract(database);
  expect(await database.migrate(MIGRATIONS)).toEqual([]);
  expect(await readSchemaContract(database)).toEqual(before);
});

it('keeps all rows, and breaks nothing, with the example of a migration of the next version', async () => {
  const before = await readSchemaContract(database);
  const next = await upTo(MIGRATION_NAMES.length, { '9998_next': NEXT_MIGRATION });
  expect(breaksBetween(before, await step('9998_next', next))).toEqual([]);
});

it('reports each way to break the previous version', async () => {
  const before = await readSchemaContract(database);
  const bad = `
    ALTER TABLE members RENAME COLUMN email TO mail;
    ALTER TABLE sites ALTER COLUMN deleted_at SET NOT NULL;
    ALTER TABLE usage_days ALTER COLUMN throttled TYPE int;
    ALTER TABLE domains ADD COLUMN needed text NOT NULL DEFAULT '';
    ALTER TABLE domains ALTER COLUMN needed DROP DEFAULT;
    ALTER TABLE domains ADD COLUMN good text CHECK (good <> '');
    ALTER TABLE agents ADD CHECK (name <> 'Legate');
    CREATE UNIQUE INDEX ON agents (organization_id, name);
    DROP FUNCTION purge(text, timestamptz, int);
    REVOKE DELETE ON sites FROM mgmt_app;
    CREATE TABLE fresh (needed text NOT NULL UNIQUE);
    DROP TABLE pending_revocations CASCADE;`;
  await database.asOwner((owner) => owner.query('UPDATE sites SET deleted_at = now()'));
  await database.migrate(
    await upTo(MIGRATION_NAMES.length, { '9998_next': NEXT_MIGRATION, '9999_bad': bad }),
  );
  const breaks = breaksBetween(before, await readSchemaContract(database));
  const ofDropped = breaks.filter((line) => line.includes('pending_revocations'));
  expect(ofDropped).toContain(
    'is gone, or of another type: pending_revocations.due_at timestamp(3) with time zone',
  );
  expect(breaks.filter((line) => !line.includes('pending_revocations')).sort()).toEqual([
    'cannot: DELETE sites',
    'cannot: call purge(text,timestamp with time zone,integer) for integer',
    'is gone, or of another type: members.email text',
    'is gone, or of another type: usage_days.throttled bigint',
    'is not written: domains.needed text',
    'is not written: usage_days.throttled integer',
    "may be refused by agents: CHECK ((name <> 'Legate'::text))",
    'may be refused by agents: UNIQUE (organization_id, name) ',
    'takes no null any more: sites.deleted_at timestamp(3) with time zone',
  ]);
});

it.each(LATER)('%s takes all its locks at once, or releases them', (_name, migration) => {
  const text = migration
    .replace(/\$\$[\s\S]*?\$\$/g, '') // the body of a function is not executed by the migration
    .replace(/--.*/g, '')
    .trim();
  expect(text).toMatch(/^SET LOCAL lock_timeout = '[1-3]00ms';/);
  const locked = /^[^;]+;\s+LOCK TABLE ([\w\s,]+);/.exec(text)?.[1]?.split(/[\s,]+/) ?? [];
  const made = Array.from(text.matchAll(/CREATE TABLE (\w+)/g), ([, table]) => table);
  const changed = Array.from(
    text.matchAll(/(?:ALTER TABLE|INDEX(?: \w+)? ON|UPDATE(?: ON)?) (\w+)/g),
    ([, table]) => table,
  );
  expect([...locked, ...made]).toEqual(expect.arrayContaining(changed));
});
