import { hash } from 'node:crypto';
import { isObject } from './json-rpc.ts';

/** MCP extensions that an agent declares, as sent to tool servers. */
export interface ClientExtensions {
  /** Settings by name */
  readonly members: Readonly<Record<string, unknown>>;
  /** The same for the same members: what a tool server says depends on them. */
  readonly digest: string;
}

/** Extensions with further requests that this client does not send: a result of theirs would lead nowhere. */
const NOT_SERVED: ReadonlySet<string> = new Set(['io.modelcontextprotocol/tasks']);

/**
 * @param declared `extensions` of an agent's capabilities
 * @returns undefined where there is nothing in it for a tool server
 */
export function toClientExtensions(declared: unknown): ClientExtensions | undefined {
  if (!isObject(declared)) return undefined;
  const names = Object.keys(declared).filter((name) => isObject(declared[name]) && !NOT_SERVED.has(name));
  if (names.length === 0) return undefined;
  const members = Object.fromEntries(names.sort().map((name) => [name, declared[name]]));
  let digest: string | undefined;
  return {
    members,
    // Lists and handshakes need it; a call of a modern tool server does not, and is spared the hash.
    get digest() {
      digest ??= hash('sha256', JSON.stringify(members), 'base64url');
      return digest;
    },
  };
}
