import { hash } from 'node:crypto';
import { isObject, parseObject } from '@legate/mcp-wire';
import { type JsonMembers, membersOf } from './json-members.ts';

/** MCP extensions that an agent declares, as sent to tool servers. */
export interface ClientExtensions {
  /** JSON text of the settings by name, unchanged */
  readonly members: JsonMembers;
  /**
   * A hash that is equal for equal members. Used in cache keys, since a tool server's responses depend on the
   * extensions.
   */
  readonly digest: string;
}

/** Extensions that need further requests, which this client does not send: their results would be of no use. */
const NOT_SERVED: ReadonlySet<string> = new Set(['io.modelcontextprotocol/tasks']);

/**
 * @param declared JSON text of `extensions` in an agent's capabilities
 * @returns undefined if it contains nothing for a tool server
 */
export function toClientExtensions(declared: string | undefined): ClientExtensions | undefined {
  const value = declared === undefined ? undefined : parseObject(declared);
  if (declared === undefined || !value) return undefined;
  const own = [...membersOf(declared)].filter(([name]) => isObject(value[name]) && !NOT_SERVED.has(name));
  if (own.length === 0) return undefined;
  const members = new Map(own.sort(([one], [other]) => (one < other ? -1 : 1)));
  const values = [...members.keys()].map((name) => [name, value[name]]);
  return { members, digest: hash('sha256', JSON.stringify(values), 'base64url') };
}
