import { isObject } from '@legate/mcp-client';

/** Only the hub writes such keys of `_meta`: neither an agent nor a tool server may speak in its name. */
export const isOurKey = (key: string): boolean => key.startsWith('legate/');

/** Returns the `_meta` that a tool server wrote, without keys of the hub's. */
export function withoutOurKeys(meta: unknown): unknown {
  if (!isObject(meta) || !Object.keys(meta).some(isOurKey)) return meta;
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !isOurKey(key)));
}
