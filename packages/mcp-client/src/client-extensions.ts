import { hash } from 'node:crypto';
import { isObject, parseObject } from '@legate/mcp-wire';
import { type JsonMembers, membersOf } from './json-members.ts';

/** MCP extensions that an agent declares, as sent to tool servers. */
export interface ClientExtensions {
  /** Settings by name, as they were written */
  readonly members: JsonMembers;
  /** A hash, equal for equal members: a tool server's answers depend on the extensions. */
  readonly digest: string;
}

/** Extensions with further requests that this client does not send: a result of theirs would lead nowhere. */
const NOT_SERVED: ReadonlySet<string> = new Set(['io.modelcontextprotocol/tasks']);

/**
 * @param declared JSON text of `extensions` in an agent's capabilities
 * @returns undefined where there is nothing in it for a tool server
 */
export function toClientExtensions(declared: string | undefined): ClientExtensions | undefined {
  const value = declared === undefined ? undefined : parseObject(declared);
  if (declared === undefined || !value) return undefined;
  const own = [...membersOf(declared)].filter(([name]) => isObject(value[name]) && !NOT_SERVED.has(name));
  if (own.length === 0) return undefined;
  const members = new Map(own.sort(([one], [other]) => (one < other ? -1 : 1)));
  let digest: string | undefined;
  return {
    members,
    // Lists and handshakes need it; a call of a modern tool server does not, and is spared the hash.
    get digest() {
      digest ??= hash(
        'sha256',
        JSON.stringify([...members.keys()].map((name) => [name, value[name]])),
        'base64url',
      );
      return digest;
    },
  };
}
