import { isObject } from '@legate/mcp-client';

/** Keys of `_meta` that are reserved for the hub: neither an agent nor a tool server may set them. */
export const isOurKey = (key: string): boolean => key.startsWith('legate/');

/** Returns the `_meta` that a tool server wrote, without keys of the hub's. */
export function withoutOurKeys(meta: unknown): unknown {
  if (!isObject(meta) || !Object.keys(meta).some(isOurKey)) return meta;
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !isOurKey(key)));
}
