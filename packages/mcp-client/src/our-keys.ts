import { isObject } from './json-rpc.ts';

/** `_meta` of what a tool server wrote, without keys of the hub's: what the hub says, nobody else must say. */
export function withoutOurKeys(meta: unknown): unknown {
  if (!isObject(meta) || !Object.keys(meta).some((key) => key.startsWith('legate/'))) return meta;
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith('legate/')));
}
