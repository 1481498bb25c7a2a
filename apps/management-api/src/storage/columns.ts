/** Returns the SQL that formats a time as the API shows it. */
export const isoTimeOf = (time: string): string =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Returns the SQL of a time in a column of the row `r`, as the API shows it. */
export const isoTime = (column: string): string => isoTimeOf(`r.${column}`);

/**
 * SQL of the columns that every change of a row sets. @param table needed if the proposed row has the same
 * columns
 */
export const changed = (table?: string): string =>
  `version = ${table === undefined ? '' : `${table}.`}version + 1, updated_at = clock_timestamp()`;
export const CHANGED = changed();

/** Returns the SQL of the name of a resource whose id is in a column of the row `r`. */
export const nameOf = (table: string, column: string): string =>
  `(SELECT named.name FROM ${table} named WHERE named.organization_id = r.organization_id AND named.id = r.${column})`;
