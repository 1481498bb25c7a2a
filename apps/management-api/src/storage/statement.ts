import type { NamedStatement } from '@legate/postgres';

/**
 * Declares a prepared statement, to be called with its values:
 *
 * ```ts
 * const FIND = statement('site_find')`SELECT name FROM sites WHERE organization_id = $1 AND id = $2`;
 * await connection.query<{ name: string }>(FIND(organizationId, id));
 * ```
 *
 * What is put into the text is SQL, never a value.
 * @param name must mean the same text in the whole application
 */
export const statement =
  (name: string) =>
  (parts: readonly string[], ...sql: readonly string[]) => {
    const text = String.raw({ raw: parts }, ...sql);
    return (...values: readonly unknown[]): NamedStatement => ({ name, text, values });
  };
