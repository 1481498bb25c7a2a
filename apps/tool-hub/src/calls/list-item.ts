import { isObject, itemsOf, membersOf, repeatsName, writeObject } from '@legate/mcp-client';

/** An item of a tool server's list. Untrusted. */
export interface ListItem {
  readonly value: Readonly<Record<string, unknown>>;
  /** JSON of the item, as the tool server wrote it, apart from dropped members */
  readonly json: string;
}

/** Members whose own members are optional too */
const WITH_MEMBERS = ['annotations', 'execution'];
/** Members that are objects; servers in PHP write empty ones as `[]` */
const OBJECTS = [...WITH_MEMBERS, '_meta', 'inputSchema', 'outputSchema'];

const UNUSABLE: ListItem = { value: {}, json: '{}' };
const NO_ARGUMENTS = '{"type":"object"}';

/**
 * Reads an item of a tool server's list and corrects empty values: optional members that are null are dropped, and `[]`
 * in place of an object becomes an object. Within schemas and `_meta` null is kept, because it has a meaning there.
 * @param item a value that is no object, or contains an object with two members of the same name, becomes an item
 * without a name, which is dropped and counted like others
 * @param json the item's text, as the tool server wrote it
 */
export function toListItem(item: unknown, json: string): ListItem {
  if (!isObject(item) || repeatsName(json, item)) return UNUSABLE;
  if (Object.entries(item).every(([name, value]) => isPlain(name, value))) return { value: item, json };
  const own = [...membersOf(json)].flatMap(([name, text]): [string, string][] => {
    const value = item[name];
    return value === null ? [] : [[name, isPlain(name, value) ? text : toPlain(name, value, text)]];
  });
  const written = writeObject(own);
  return { value: JSON.parse(written), json: written };
}

/** Returns true for a member that needs no change, as most do not. */
function isPlain(name: string, value: unknown): boolean {
  if (value === null) return false;
  if (name === 'icons') return !Array.isArray(value) || value.every(isWhole);
  if (OBJECTS.includes(name) && isEmptyList(value)) return false;
  if (WITH_MEMBERS.includes(name)) return !isObject(value) || isWhole(value);
  if (name !== 'inputSchema' || !isObject(value)) return true;
  return Object.keys(value).length > 0 && !isEmptyList(value.properties);
}

function toPlain(name: string, value: unknown, json: string): string {
  if (name === 'icons') return withoutNullsInItems(value, json);
  if (name === 'inputSchema') return toObjectSchema(json);
  return isEmptyList(value) ? '{}' : withoutNulls(json);
}

/** Corrects an empty schema, or one whose properties are an empty list, which tools without arguments may have. */
function toObjectSchema(json: string): string {
  const members = membersOf(json);
  return members.size === 0 ? NO_ARGUMENTS : writeObject(new Map([...members, ['properties', '{}']]));
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const isWhole = (value: unknown): boolean => isObject(value) && !Object.values(value).includes(null);

/** @param items entries that are not objects are dropped */
function withoutNullsInItems(items: unknown, json: string): string {
  const kept = itemsOf(json).filter((_item, index) => Array.isArray(items) && isObject(items[index]));
  return `[${kept.map(withoutNulls).join(',')}]`;
}

const withoutNulls = (json: string): string =>
  writeObject([...membersOf(json)].filter(([, text]) => text !== 'null'));
