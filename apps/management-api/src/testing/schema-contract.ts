import type { TestDatabase } from '@legate/postgres/testing';
import { APPLICATION_ROLE } from '../storage/database.ts';

/**
 * The parts of the schema on which the application's statements depend, as lines that begin with the name of
 * a table or function
 */
export interface SchemaContract {
  /** `table.column type` → whether an INSERT may omit it */
  readonly columns: ReadonlyMap<string, { table: string; optional: boolean; nullable: boolean }>;
  /** Functions, with their arguments and results, and the rights of the application's role on each table */
  readonly abilities: ReadonlySet<string>;
  /** Constraints and unique indexes: rows they refuse. By table; those of columns that a later migration added are its own */
  readonly rules: ReadonlyMap<string, { table: string; columns: readonly string[] }>;
}

const TABLES = `SELECT c.oid, c.relname::text AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> 'schema_migrations'`;
const COLUMNS = `SELECT t.name AS table, t.name || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) AS line,
    NOT a.attnotnull AS nullable, NOT a.attnotnull OR a.atthasdef OR a.attidentity <> '' AS optional
  FROM (${TABLES}) t JOIN pg_attribute a ON a.attrelid = t.oid WHERE a.attnum > 0 AND NOT a.attisdropped`;
const ABILITIES = `SELECT 'call ' || p.oid::regprocedure || ' for ' || pg_get_function_result(p.oid) AS line
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND has_function_privilege($1, p.oid, 'EXECUTE')
  UNION ALL
  SELECT privilege || ' ' || t.name FROM (${TABLES}) t, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) privilege
  WHERE has_table_privilege($1, t.oid, privilege)`;
const RULES = `SELECT t.name AS table, t.name || ': ' || pg_get_constraintdef(c.oid) AS line, c.conkey AS keys, t.oid
  FROM (${TABLES}) t JOIN pg_constraint c ON c.conrelid = t.oid WHERE c.contype IN ('c', 'f', 'x')
  UNION ALL
  SELECT t.name, t.name || ': UNIQUE (' || (SELECT string_agg(pg_get_indexdef(i.indexrelid, k, true), ', ' ORDER BY k)
      FROM generate_series(1, i.indnkeyatts) k) || ') ' || coalesce(pg_get_expr(i.indpred, i.indrelid), ''),
    i.indkey::int2[], t.oid
  FROM (${TABLES}) t JOIN pg_index i ON i.indrelid = t.oid WHERE i.indisunique`;
const RULE_COLUMNS = `SELECT r.table, r.line, ARRAY(
    SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = r.oid AND a.attnum = ANY (r.keys)) AS columns
  FROM (${RULES}) r`;

export function readSchemaContract(database: TestDatabase): Promise<SchemaContract> {
  return database.asOwner(async (owner) => {
    const columns = (await owner.query(COLUMNS)).rows;
    const abilities = (await owner.query(ABILITIES, [APPLICATION_ROLE])).rows;
    const rules = (await owner.query(RULE_COLUMNS)).rows;
    return {
      columns: new Map(columns.map(({ line, ...column }) => [line, column])),
      abilities: new Set(abilities.map(({ line }) => line)),
      rules: new Map(rules.map(({ line, ...rule }) => [line, rule])),
    };
  });
}

/**
 * Returns what a service written for the schema `before` would miss in the schema `after`, or which of its
 * statements would be refused.
 */
export function breaksBetween(before: SchemaContract, after: SchemaContract): string[] {
  const tables = new Set([...before.columns.values()].map(({ table }) => table));
  const columnNames = new Set([...before.columns.keys()].map((line) => line.split(' ')[0]));
  const breaks: string[] = [];
  for (const [line, { nullable }] of before.columns) {
    const column = after.columns.get(line);
    if (!column) breaks.push(`is gone, or of another type: ${line}`);
    else if (nullable && !column.nullable) breaks.push(`takes no null any more: ${line}`);
  }
  for (const [line, { table, optional }] of after.columns) {
    if (tables.has(table) && !before.columns.has(line) && !optional) breaks.push(`is not written: ${line}`);
  }
  for (const line of before.abilities) if (!after.abilities.has(line)) breaks.push(`cannot: ${line}`);
  for (const [line, { table, columns }] of after.rules) {
    const isOfOldColumns = columns.some((column) => columnNames.has(`${table}.${column}`));
    if (isOfOldColumns && !before.rules.has(line)) breaks.push(`may be refused by ${line}`);
  }
  return breaks;
}
