import { isObject, itemsOf, membersOf, repeatsName, writeObject } from '@legate/mcp-client';

/** An item of a tool server's list: untrusted */
export interface ListItem {
  readonly value: Readonly<Record<string, unknown>>;
  /** The same as it was written */
  readonly json: string;
}

/** Members that have optional members of their own */
const WITH_MEMBERS = ['annotations', 'execution'];

const UNUSABLE: ListItem = { value: {}, json: '{}' };

/**
 * An item of a tool server's list: without the optional members that are null, which is how many servers write that they
 * have none. Schemas and `_meta` stay as they are, since null means something there.
 * @param item what is no object, or has an object with two members of one name, becomes an item without a name, which is
 * left out and counted as others are
 * @param json the same as it was written
 */
export function toListItem(item: unknown, json: string): ListItem {
  if (!isObject(item) || repeatsName(json, item)) return UNUSABLE;
  if (!Object.entries(item).some(([name, value]) => hasNulls(name, value))) return { value: item, json };
  const own = [...membersOf(json)].flatMap(([name, text]): [string, string][] => {
    const value = item[name];
    return value === null ? [] : [[name, hasNulls(name, value) ? withoutNullsIn(value, text) : text]];
  });
  const written = writeObject(own);
  return { value: JSON.parse(written), json: written };
}

/** Most have none, and stay as they are. */
function hasNulls(name: string, value: unknown): boolean {
  if (value === null) return true;
  if (WITH_MEMBERS.includes(name)) return isObject(value) && !isWhole(value);
  return name === 'icons' && Array.isArray(value) && !value.every(isWhole);
}

const isWhole = (value: unknown): boolean => isObject(value) && !Object.values(value).includes(null);

/** @param value an object, or an array of which only objects are kept */
function withoutNullsIn(value: unknown, json: string): string {
  if (!Array.isArray(value)) return withoutNulls(json);
  return `[${itemsOf(json)
    .filter((_item, index) => isObject(value[index]))
    .map(withoutNulls)
    .join(',')}]`;
}

const withoutNulls = (json: string): string =>
  writeObject([...membersOf(json)].filter(([, text]) => text !== 'null'));
