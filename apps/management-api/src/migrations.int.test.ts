import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { slugFrom } from '@legate/management-contract';
import { createTestDatabase, type TestDatabase } from '@legate/postgres/testing';
import { APPLICATION_ROLE, MIGRATIONS } from './storage/database.ts';
import { MIGRATION_NAMES, migrationsUpTo, NEXT_MIGRATION } from './testing/migrations-up-to.ts';
import { ALL_TABLES, insertOneOfEach } from './testing/one-of-each.ts';
import { breaksBetween, readSchemaContract, type SchemaContract } from './testing/schema-contract.ts';

/** From this migration on, a version serves while the next version's schema is in place. */
const FIRST_KEPT = MIGRATION_NAMES.indexOf('0018_retention-and-schema-check');

/**
 * Migrations that take away what no release since the one before them uses, with what they may break, and that release.
 * @see docs/management-api/operations.md
 */
const CONTRACTIONS: Readonly<Record<string, readonly string[]>> = {
  // In the place of a constraint that took less: whatever was taken before is still taken.
  '0021_public-clients': [
    "may be refused by connectors: CHECK (((client_id IS NOT NULL) OR (auth_method <> 'id-jag'::text)))",
  ],
  // In the place of a constraint that took less: whatever was taken before is still taken.
  '0042_secrets-of-consent-clients': [
    "may be refused by connectors: CHECK (((auth_method <> 'passthrough'::text) OR (secret IS NULL)))",
  ],
  // The version before writes no slug, and null is not equal to null.
  '0037_slugs': ['may be refused by connectors: UNIQUE (organization_id, slug) '],
  // The version before writes no auth_method, and then both take what was taken before.
  '0039_clients-of-agents': [
    `may be refused by agent_clients: CHECK ((((length(client_id) >= 1) AND (length(client_id) <= 512)) AND (client_id ~~
CASE
    WHEN (auth_method IS NULL) THEN 'https://%'::text
    ELSE 'lac\\_%'::text
END)))`,
    'may be refused by agent_clients: UNIQUE (client_id) (auth_method IS NOT NULL)',
  ],
  // A scope that the version before does not have
  '0041_clients-right': [
    "may be refused by api_keys: CHECK (((kind <> 'api'::text) OR (NOT (scopes @> ARRAY['clients:write'::text]))))",
  ],
};

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

it('goes from nothing to the schema of today, each step keeping the rows that each schema before it took', async () => {
  const contracts: SchemaContract[] = [];
  for (const [index, name] of MIGRATION_NAMES.entries()) {
    const before = new Map<string, Record<string, unknown>[]>();
    for (const table of await tablesThere()) before.set(table, await rowsOf(table));

    expect(await database.migrate(await upTo(index + 1))).toEqual([name]);

    for (const [table, rows] of before) {
      const after = await rowsOf(table);
      expect(after).toEqual(rows.map((row) => expect.objectContaining(row)));
    }
    const tables = await tablesThere();
    await database.asOwner((owner) => insertOneOfEach(owner, `org_${index}`, tables));
    if (index >= FIRST_KEPT - 1) contracts.push(await readSchemaContract(database));
  }
  expect((await tablesThere()).sort()).toEqual([...ALL_TABLES].sort());

  for (const [index, after] of contracts.entries()) {
    const before = contracts[index - 1];
    const name = MIGRATION_NAMES[FIRST_KEPT - 1 + index] ?? '';
    if (before) expect([name, breaksBetween(before, after)]).toEqual([name, CONTRACTIONS[name] ?? []]);
  }
});

it('does nothing the second time', async () => {
  const before = await readSchemaContract(database);
  expect(await database.migrate(MIGRATIONS)).toEqual([]);
  expect(await readSchemaContract(database)).toEqual(before);
});

it('takes the migration for good that others are tested with while the service serves', async () => {
  const before = await readSchemaContract(database);
  await database.migrate(await upTo(MIGRATION_NAMES.length, { '9998_next': NEXT_MIGRATION }));
  expect(breaksBetween(before, await readSchemaContract(database))).toEqual([]);
});

it('would be reported for each way to break the previous version', async () => {
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

it.each(MIGRATION_NAMES.slice(FIRST_KEPT))(
  '%s takes all its locks at once, or releases them',
  async (name) => {
    const text = (await readFile(join(MIGRATIONS, `${name}.sql`), 'utf8'))
      .replace(/\$\$[\s\S]*?\$\$/g, '') // what a function does is not done now
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
  },
);

it('lets organizations that exist keep developer as the default role, and gives none to new ones', async () => {
  const people = MIGRATION_NAMES.indexOf('0026_people');
  const upgraded = await createTestDatabase({ migrations: await upTo(people), role: APPLICATION_ROLE });
  const add = (id: string) =>
    upgraded.asOwner((owner) =>
      owner.query('INSERT INTO organizations (id, name) VALUES ($1::text, $1::text)', [id]),
    );
  await add('org_before');
  await upgraded.migrate(await upTo(people + 1));
  await add('org_now');
  const { rows } = await upgraded.asOwner((owner) =>
    owner.query('SELECT id, default_role, role_source FROM organizations ORDER BY id'),
  );
  await upgraded.drop();
  expect(rows).toEqual([
    { id: 'org_before', default_role: 'developer', role_source: 'local' },
    { id: 'org_now', default_role: null, role_source: 'local' },
  ]);
});

it('gives connectors that exist the slugs that new ones get, in order of creation', async () => {
  const slugs = MIGRATION_NAMES.indexOf('0037_slugs');
  const upgraded = await createTestDatabase({ migrations: await upTo(slugs), role: APPLICATION_ROLE });
  const names = [
    'Notes & Tasks',
    'Notes, tasks',
    'Büro',
    '3D',
    '日本語',
    'MCP',
    'Hub',
    'A name that is far too long',
    'Ⅷ ½ ﬁle',
  ];
  await upgraded.asOwner(async (owner) => {
    await owner.query("INSERT INTO organizations (id, name) VALUES ('org_a', 'A'), ('org_b', 'B')");
    for (const [index, name] of names.entries())
      for (const organization of ['org_a', 'org_b'])
        await owner.query(
          `INSERT INTO connectors (organization_id, id, name, resource_url, auth_method, acknowledge_legacy, created_at)
          VALUES ($1::text, $2, $3, $4, 'passthrough', true, now() + make_interval(secs => $5))`,
          [organization, `con_${organization}_${9 - index}`, name, `https://${index}.example`, index],
        );
  });
  await upgraded.migrate(await upTo(slugs + 1));
  const { rows } = await upgraded.asOwner((owner) =>
    owner.query("SELECT name, slug FROM connectors WHERE organization_id = 'org_b' ORDER BY created_at"),
  );
  await upgraded.drop();
  const taken = new Set<string>();
  const expected = names.map((name) => {
    const slug = slugFrom(name, (other) => taken.has(other));
    taken.add(slug);
    return { name, slug };
  });
  expect(rows).toEqual(expected);
});

it('keeps the endpoints of connectors that exist, and how the hub authenticates where that works', async () => {
  const addresses = MIGRATION_NAMES.indexOf('0040_connector-addresses');
  const upgraded = await createTestDatabase({ migrations: await upTo(addresses), role: APPLICATION_ROLE });
  const kept: [address: string, mcpUrl: string | null][] = [
    ['https://a.example', null],
    ['https://b.example/', 'https://b.example/mcp'],
    ['https://c.example/mcp', null],
    ['https://d.example/mcp/', null],
    ['https://e.example/billing', 'https://e.example/billing/mcp'],
    ['https://f.example/billing/', 'https://f.example/billing/mcp'],
    ['https://g.example/mcp?project=42', null],
    ['https://h.example/billing?project=42', null],
    ['https://i.example?project=42/x', null],
  ];
  await upgraded.asOwner(async (owner) => {
    await owner.query("INSERT INTO organizations (id, name) VALUES ('org_a', 'A')");
    for (const [index, [address]] of kept.entries())
      await owner.query(
        `INSERT INTO connectors (organization_id, id, name, resource_url, client_id, enabled, id_jag_used_at)
        VALUES ('org_a', $1, 'A', $2, 'hub', false, CASE WHEN $3 THEN now() END)`,
        [`con_${index}`, address, index % 2 === 0],
      );
  });
  await upgraded.migrate(await upTo(addresses + 1));
  const { rows } = await upgraded.asOwner((owner) =>
    owner.query(
      'SELECT resource_url, mcp_url, token_endpoint_auth_method AS method FROM connectors ORDER BY id',
    ),
  );
  await upgraded.drop();
  expect(rows).toEqual(
    kept.map(([resource_url, mcp_url], index) => ({
      resource_url,
      mcp_url,
      method: index % 2 === 0 ? 'client_secret_post' : null,
    })),
  );
});
