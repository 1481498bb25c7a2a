import { hash } from 'node:crypto';
import { slugFrom } from '@legate/management-contract';
import type { Connector } from './connector.ts';

/** MCP 2025-11-25 and later, "Tool names" */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** Hosts put their own prefix in front, such as `mcp__{server}__`, and model APIs allow 64 characters with it. */
const MAX_LISTED_LENGTH = 50;
/** The end of a name that was made because model APIs do not take the tool server's */
export const HASH_SUFFIX = /--[a-z2-7]{8}$/;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Connectors of an organization have one (`withSlugs`). */
export const slugOf = ({ id, slug }: Connector): string => slug ?? slugFrom(id);

/** What servers call their tools all the same: in any script, with slashes and colons, but in one line that can be read */
const OTHER_NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,256}$/u;

/** Returns true for what a tool server may call a tool or a prompt. */
export const isName = (name: unknown): name is string => typeof name === 'string' && NAME.test(name);

/**
 * Returns the name under which a tool or prompt is listed beside those of other connectors: `{slug}_{name}` if model APIs
 * take it and it says which name it is; otherwise a hashed one, also for names that MCP has not. Undefined for an unusable
 * name.
 */
export function listedName(connector: Connector, name: unknown): string | undefined {
  if (typeof name !== 'string' || !OTHER_NAME.test(name)) return undefined;
  const prefix = `${slugOf(connector)}_`;
  const room = MAX_LISTED_LENGTH - prefix.length;
  return isPlain(name) && name.length <= room ? prefix + name : prefix + hashedName(name, room);
}

/** A double `_` is the delimiter of some hosts. */
const isPlain = (name: string): boolean =>
  /^[A-Za-z0-9-][A-Za-z0-9_-]*$/.test(name) && !name.includes('__') && !HASH_SUFFIX.test(name);

function hashedName(name: string, room: number): string {
  const suffix = `--${base32(hash('sha256', name, 'buffer')).slice(0, 8)}`;
  const readable = name.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_+/, '');
  return readable.slice(0, room - suffix.length).replace(/_+$/, '') + suffix;
}

/** RFC 4648 §6, in lower case, of the first five bytes */
function base32(bytes: Buffer): string {
  const bits = [...bytes.subarray(0, 5)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
}
