import { type JsonMembers, membersOf, NO_MEMBERS, writeObject } from '@legate/mcp-client';

/** Returns true for a key of `_meta` that is reserved for the hub: neither an agent nor a tool server may set it. */
export const isOurKey = (key: string): boolean => key.startsWith('legate/');

/**
 * Returns the `_meta` of a tool server's message for an agent or an application: its original text, without keys that
 * are reserved for the hub, and with what the hub adds.
 * @param written the original text; undefined: there is none
 */
export function metaWith(written: string | undefined, added: JsonMembers = NO_MEMBERS): string | undefined {
  if (written === undefined || !written.startsWith('{')) return added.size > 0 ? writeObject(added) : written;
  const members = membersOf(written);
  const isKept = added.size === 0 && ![...members.keys()].some(isOurKey);
  if (isKept) return written;
  return writeObject([...added, ...[...members].filter(([key]) => !isOurKey(key))]);
}
