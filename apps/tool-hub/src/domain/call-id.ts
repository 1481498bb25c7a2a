/** Header with the call's id in every response to a tool call. */
export const CALL_ID_HEADER = 'Legate-Call-Id';
/** Key of the call's id in `_meta` of a result (MCP "_meta" requires our own prefix). */
export const CALL_ID_KEY = 'legate/call_id';
