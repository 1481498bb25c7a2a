/** Header of every answer to a call of a tool. */
export const CALL_ID_HEADER = 'Legate-Call-Id';
/** Key of the call's id in `_meta` of a result (MCP, "_meta": a prefix of our own, and a name). */
export const CALL_ID_KEY = 'legate/call_id';
