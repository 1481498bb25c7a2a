import type { PGlite } from '@electric-sql/pglite';

/** The state of a database before a test suite uses it */
export interface Emptied {
  /** Tables that migrations have filled. A suite starts with these rows, and with all other tables empty. */
  readonly filledTables: readonly string[];
  /** The rows of these tables, and the sequences */
  readonly contents: string;
  /** A fingerprint that changes with every change of the schema, of roles and of settings. */
  readonly schema: string;
}

/** Catalogs whose rows define a database. A new or changed row has another `xmin`. */
const CATALOGS = [
  'pg_attrdef',
  'pg_attribute',
  'pg_auth_members',
  'pg_authid',
  'pg_class',
  'pg_constraint',
  'pg_database',
  'pg_db_role_setting',
  'pg_default_acl',
  'pg_extension',
  'pg_index',
  'pg_inherits',
  'pg_namespace',
  'pg_policy',
  'pg_proc',
  'pg_rewrite',
  'pg_trigger',
  'pg_type',
];

/** Reads the state of a database after its migrations. */
export async function readBaseline(db: PGlite): Promise<Emptied> {
  const filledTables = (await readTables(db)).filter(({ isUsed }) => isUsed).map(({ name }) => name);
  return { filledTables, contents: await readContents(db, filledTables), schema: await readSchema(db) };
}

/**
 * Restores a database to its state before use.
 * @returns its current state, or undefined if anything other than rows of empty tables was changed
 */
export async function emptyDatabase(db: PGlite, before: Emptied): Promise<Emptied | undefined> {
  await db.exec('ROLLBACK');
  await db.exec('DISCARD ALL');
  if ((await readSchema(db)) !== before.schema) return undefined;
  const used = (await readTables(db)).filter(
    ({ name, isUsed }) => isUsed && !before.filledTables.includes(name),
  );
  if (used.length > 0)
    await db.exec(`TRUNCATE ${used.map(({ name }) => name).join(', ')} RESTART IDENTITY CASCADE`);
  if ((await readContents(db, before.filledTables)) !== before.contents) return undefined;
  return { ...before, schema: await readSchema(db) };
}

async function readTables(db: PGlite) {
  const { rows } = await db.query<{ name: string; isUsed: boolean }>(`
    SELECT format('%I.%I', nspname, relname) AS name, pg_relation_size(c.oid) > 0 AS "isUsed"
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema')`);
  return rows;
}

async function readContents(db: PGlite, tables: readonly string[]): Promise<string> {
  const parts = [
    `SELECT format('%I.%I %s', schemaname, sequencename, last_value) AS part FROM pg_sequences`,
    ...tables.map((table) => `SELECT t::text FROM ${table} t`),
  ];
  return digest(db, parts.join(' UNION ALL '));
}

const readSchema = (db: PGlite): Promise<string> =>
  digest(
    db,
    CATALOGS.map((name) => `SELECT format('${name} %s %s', ctid, xmin) AS part FROM ${name}`).join(
      ' UNION ALL ',
    ),
  );

async function digest(db: PGlite, parts: string): Promise<string> {
  const { rows } = await db.query<{ digest: string | null }>(
    `SELECT md5(string_agg(part, chr(10) ORDER BY part)) AS digest FROM (${parts})`,
  );
  return rows[0]?.digest ?? '';
}
