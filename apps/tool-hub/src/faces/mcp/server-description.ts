import {
  isDeeperThan,
  isObject,
  membersOf,
  repeatsName,
  toClientExtensions,
  writeObject,
} from '@legate/mcp-client';
import { ImplementationSchema } from '@modelcontextprotocol/core';
import type { UpstreamResult } from './results.ts';

/**
 * A tool server's description of itself, limited to what the hub repeats. Its text is untrusted, and treated as data.
 */
export interface ServerDescription {
  /** JSON text of an object, as it was written */
  readonly info?: string;
  readonly instructions?: string;
  /** Capabilities that it declares and that the hub serves too */
  readonly serves: readonly Capability[];
  /** Changes that it announces; absent: none, or a revision whose notifications the hub does not pass on */
  readonly notifies?: readonly NotifiedChange[];
  /** JSON text of an object */
  readonly extensions?: string;
}

export const CAPABILITIES = ['tools', 'resources', 'prompts', 'completions', 'logging'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Changes that a server can announce: those of its lists, and of single resources (`subscribe`) */
export const NOTIFIED_CHANGES = ['tools', 'prompts', 'resources', 'subscribe'] as const;
export type NotifiedChange = (typeof NOTIFIED_CHANGES)[number];

export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
const MAX_INSTRUCTIONS_BYTES = 8192;
/** Limit for the server info (name, icons and the like), and for the extensions, in characters of JSON */
const MAX_MEMBER_LENGTH = 4096;
const MAX_DEPTH = 64;

/** Parses the result of `server/discover`, or of `initialize`. Invalid or too large members are left out. */
export function readDescription({ json, result }: UpstreamResult): ServerDescription {
  const written = membersOf(json);
  const capabilities = isObject(result.capabilities) ? result.capabilities : {};
  const own = membersOf(written.get('_meta') ?? '').get(SERVER_INFO_KEY);
  const info = bounded(own === undefined || own === 'null' ? written.get('serverInfo') : own);
  const declared = toClientExtensions(membersOf(written.get('capabilities') ?? '').get('extensions'));
  const extensions = bounded(declared && writeObject(declared.members));
  const { instructions, protocolVersion } = result;
  const notifies = protocolVersion === undefined ? notifiedIn(capabilities) : [];
  return {
    ...(info && ImplementationSchema.safeParse(JSON.parse(info)).success && { info }),
    ...(typeof instructions === 'string' && instructions !== '' && { instructions: cut(instructions) }),
    serves: CAPABILITIES.filter((name) => isObject(capabilities[name])),
    ...(notifies.length > 0 && { notifies }),
    ...(extensions && { extensions }),
  };
}

const notifiedIn = (capabilities: Readonly<Record<string, unknown>>): readonly NotifiedChange[] =>
  NOTIFIED_CHANGES.filter((change) => {
    const capability = capabilities[change === 'subscribe' ? 'resources' : change];
    const member = change === 'subscribe' ? 'subscribe' : 'listChanged';
    return isObject(capability) && capability[member] === true;
  });

/** @returns a copy of an object's text, so that the text around it can be released from memory */
function bounded(json: string | undefined): string | undefined {
  if (json === undefined || json.length > MAX_MEMBER_LENGTH) return undefined;
  const value: unknown = JSON.parse(json);
  const isUsable = isObject(value) && !isDeeperThan(value, MAX_DEPTH) && !repeatsName(json, value);
  return isUsable ? Buffer.from(json).toString() : undefined;
}

/** Cuts between two characters. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_INSTRUCTIONS_BYTES) return text;
  let end = MAX_INSTRUCTIONS_BYTES;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // a byte in the middle of a UTF-8 character
  return bytes.toString('utf8', 0, end);
}
