import { isObject } from '@legate/mcp-client';

export type ListItem = Readonly<Record<string, unknown>>;

/** Members that have optional members of their own */
const WITH_MEMBERS = ['annotations', 'execution'];

/**
 * An item of a tool server's list: without the optional members that are null, which is how many servers write that they
 * have none. Schemas and `_meta` stay as they are, since null means something there.
 * @param item what is no object becomes an item without a name, which is left out and counted as others are
 */
export function toListItem(item: unknown): Record<string, unknown> {
  if (!isObject(item)) return {};
  const own = { ...withoutNulls(item) };
  for (const name of WITH_MEMBERS) if (isObject(own[name])) own[name] = withoutNulls(own[name]);
  if (Array.isArray(own.icons)) own.icons = own.icons.filter(isObject).map(withoutNulls);
  return own;
}

/** Most have none, and stay the same object. */
function withoutNulls(object: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(object);
  return entries.some(([, value]) => value === null)
    ? Object.fromEntries(entries.filter(([, value]) => value !== null))
    : object;
}
