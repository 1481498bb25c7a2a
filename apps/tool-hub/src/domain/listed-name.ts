import { hash } from 'node:crypto';
import { slugFrom } from '@legate/management-contract';
import type { Connector } from './connector.ts';

/** Valid names in MCP 2025-11-25 and later ("Tool names") */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/**
 * Maximum length of a listed name: hosts add their own prefix, such as `mcp__{server}__`, and model APIs allow 64
 * characters in total.
 */
const MAX_LISTED_LENGTH = 50;
/** End of a name that was generated because model APIs do not accept the tool server's name */
export const HASH_SUFFIX = /--[a-z2-7]{8}$/;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Returns the slug, which every connector of an organization has (`withSlugs`). */
export const slugOf = ({ id, slug }: Connector): string => slug ?? slugFrom(id);

/**
 * Names that servers use although MCP does not allow them: in any script, with slashes and colons, but on one line and
 * printable
 */
const OTHER_NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,256}$/u;

/** Returns true if a tool server may use this name for a tool or a prompt. */
export const isName = (name: unknown): name is string => typeof name === 'string' && NAME.test(name);

/**
 * Returns the name under which a tool or prompt is listed together with those of other connectors: `{slug}_{name}` if
 * model APIs accept it and it is unambiguous, otherwise a hashed name, which also stands for names that MCP does not
 * allow. Returns undefined for an unusable name.
 */
export function listedName(connector: Connector, name: unknown): string | undefined {
  if (typeof name !== 'string' || !OTHER_NAME.test(name)) return undefined;
  const prefix = `${slugOf(connector)}_`;
  const room = MAX_LISTED_LENGTH - prefix.length;
  return isPlain(name) && name.length <= room ? prefix + name : prefix + hashedName(name, room);
}

/** Returns false for a double `_`, because it is the delimiter of some hosts. */
const isPlain = (name: string): boolean =>
  /^[A-Za-z0-9-][A-Za-z0-9_-]*$/.test(name) && !name.includes('__') && !HASH_SUFFIX.test(name);

function hashedName(name: string, room: number): string {
  const suffix = `--${base32(hash('sha256', name, 'buffer')).slice(0, 8)}`;
  const readable = name.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_+/, '');
  return readable.slice(0, room - suffix.length).replace(/_+$/, '') + suffix;
}

/** Encodes the first five bytes as RFC 4648 §6 specifies, in lower case */
function base32(bytes: Buffer): string {
  const bits = [...bytes.subarray(0, 5)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
}
