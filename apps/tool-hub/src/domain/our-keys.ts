import { type JsonMembers, membersOf, NO_MEMBERS, writeObject } from '@legate/mcp-client';

/** Keys of `_meta` that are reserved for the hub: neither an agent nor a tool server may set them. */
export const isOurKey = (key: string): boolean => key.startsWith('legate/');

/**
 * Returns the `_meta` of what a tool server says as an agent or an application gets it: as it was written, but without keys of
 * the hub's, and with what the hub adds.
 * @param written its text; undefined: there is none
 */
export function metaWith(written: string | undefined, added: JsonMembers = NO_MEMBERS): string | undefined {
  if (written === undefined || !written.startsWith('{')) return added.size > 0 ? writeObject(added) : written;
  const members = membersOf(written);
  const isKept = added.size === 0 && ![...members.keys()].some(isOurKey);
  if (isKept) return written;
  return writeObject([...added, ...[...members].filter(([key]) => !isOurKey(key))]);
}
