import { isDeeperThan, isObject, toClientExtensions } from '@legate/mcp-client';
import { ImplementationSchema } from '@modelcontextprotocol/core';

/** What a tool server says of itself, as far as the hub repeats it. Untrusted: its text is data. */
export interface ServerDescription {
  readonly info?: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
  /** What it announces of that which the hub serves */
  readonly serves: readonly Capability[];
  /** What it notifies its clients of; absent: nothing, or a revision whose notifications the hub does not pass on */
  readonly tells?: readonly Told[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

export const CAPABILITIES = ['tools', 'resources', 'prompts', 'completions', 'logging'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Changes that a server can announce: of its lists, and of single resources (`subscribe`) */
export const TOLD = ['tools', 'prompts', 'resources', 'subscribe'] as const;
export type Told = (typeof TOLD)[number];

export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
const MAX_INSTRUCTIONS_BYTES = 8192;
/** For name, icons and the like, and for extensions */
const MAX_MEMBER_LENGTH = 4096;
const MAX_DEPTH = 64;

/** Reads the result of `server/discover`, or of `initialize`. What is invalid or too large is left out. */
export function readDescription(result: Readonly<Record<string, unknown>>): ServerDescription {
  const meta = isObject(result._meta) ? result._meta : {};
  const capabilities = isObject(result.capabilities) ? result.capabilities : {};
  const info = bounded(meta[SERVER_INFO_KEY] ?? result.serverInfo);
  const extensions = bounded(toClientExtensions(capabilities.extensions)?.members);
  const { instructions, protocolVersion } = result;
  const tells = protocolVersion === undefined ? toldIn(capabilities) : [];
  return {
    ...(info && ImplementationSchema.safeParse(info).success && { info }),
    ...(typeof instructions === 'string' && instructions !== '' && { instructions: cut(instructions) }),
    serves: CAPABILITIES.filter((name) => isObject(capabilities[name])),
    ...(tells.length > 0 && { tells }),
    ...(extensions && { extensions }),
  };
}

const toldIn = (capabilities: Readonly<Record<string, unknown>>): readonly Told[] =>
  TOLD.filter((told) => {
    const capability = capabilities[told === 'subscribe' ? 'resources' : told];
    const member = told === 'subscribe' ? 'subscribe' : 'listChanged';
    return isObject(capability) && capability[member] === true;
  });

function bounded(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(value) || isDeeperThan(value, MAX_DEPTH)) return undefined;
  return JSON.stringify(value).length <= MAX_MEMBER_LENGTH ? value : undefined;
}

/** Cuts between two characters. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_INSTRUCTIONS_BYTES) return text;
  let end = MAX_INSTRUCTIONS_BYTES;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // the middle of a character in UTF-8
  return bytes.toString('utf8', 0, end);
}
