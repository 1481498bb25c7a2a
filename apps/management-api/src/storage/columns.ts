/** Returns the SQL of a time stamp of the row `r` as the API shows it; formatted where its precision is known. */
export const isoTime = (column: string): string =>
  `to_char(r.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What every change of a row sets. */
export const CHANGED = 'version = version + 1, updated_at = clock_timestamp()';
