import {
  type AgentSide,
  CAPABILITIES_KEY,
  type ClientExtensions,
  INVALID_PARAMS,
  isObject,
  type JsonMembers,
  LOG_LEVEL_KEY,
  LogLevel,
  MAX_ID_LENGTH,
  membersOf,
  NO_MEMBERS,
  toClientExtensions,
  writeObject,
} from '@legate/mcp-client';
import { isOurKey } from '../../domain/our-keys.ts';
import { RpcError } from '../../refusals/rpc-error.ts';
import type { Era } from './agent-request.ts';
import { elicits } from './elicitation.ts';
import { type RequestId, readId } from './request-id.ts';

type Meta = Readonly<Record<string, unknown>>;

/** Keys of the protocol, which the hub itself sets in upstream requests */
const PROTOCOL_KEY = /^(?:io\.)?(?:modelcontextprotocol|mcp)(?:\.[^/]*)?\//;
/** Capabilities of the agent that a tool may require. All others concern only the hub. */
const ASKABLE = ['elicitation', 'sampling', 'roots'];

/**
 * Reads an agent's description of itself in `_meta` of a request.
 * @param json the same `_meta` as it was written; undefined: there is none
 * @throws {RpcError}
 */
export function readAgentSide(
  era: Era,
  meta: Meta,
  json: string | undefined,
): { agent: AgentSide; progressToken: RequestId | undefined; canElicitUrl: boolean } {
  // Most agents send nothing that is passed on, so their `_meta` need not be searched.
  let known: JsonMembers | undefined;
  const written = (): JsonMembers => {
    known ??= json === undefined ? NO_MEMBERS : membersOf(json);
    return known;
  };
  const capabilities = era === 'modern' ? meta[CAPABILITIES_KEY] : undefined;
  const capability = (): JsonMembers => membersOf(written().get(CAPABILITIES_KEY) ?? '');
  const progressToken =
    meta.progressToken === undefined ? undefined : readToken(meta, written().get('progressToken'));
  const agent: AgentSide = {
    meta: only(meta, isForToolServers, written),
    capabilities: isObject(capabilities) ? only(capabilities, isAskable, capability) : NO_MEMBERS,
    extensions:
      isObject(capabilities) && capabilities.extensions !== undefined
        ? readExtensions(capability().get('extensions'))
        : undefined,
    wantsProgress: progressToken !== undefined,
    logLevel: era === 'modern' ? readLogLevel(meta[LOG_LEVEL_KEY]) : undefined,
  };
  const canElicitUrl = isObject(capabilities) && elicits(capabilities.elicitation, 'url');
  return { agent, progressToken, canElicitUrl };
}

const isForToolServers = (key: string): boolean =>
  key !== 'progressToken' && !PROTOCOL_KEY.test(key) && !isOurKey(key);

const isAskable = (key: string): boolean => ASKABLE.includes(key);

function only(value: Meta, isWanted: (name: string) => boolean, written: () => JsonMembers): JsonMembers {
  if (!Object.keys(value).some(isWanted)) return NO_MEMBERS;
  return new Map([...written()].filter(([name]) => isWanted(name)));
}

/** @throws {RpcError} if it is too long; a value that is neither a string nor an integer requests no progress */
function readToken({ progressToken }: Meta, json: string | undefined): RequestId | undefined {
  if (typeof progressToken === 'string' && progressToken.length > MAX_ID_LENGTH)
    throw invalidParams(`progressToken must have at most ${MAX_ID_LENGTH} characters`);
  return readId(progressToken, json);
}

function readLogLevel(value: unknown): LogLevel | undefined {
  if (value === undefined || value === null) return undefined;
  const { success, data } = LogLevel.safeParse(value);
  if (success) return data;
  throw invalidParams(`${LOG_LEVEL_KEY} is not a log level`);
}

/** Maximum bytes, since they are sent upstream with every request */
const MAX_EXTENSIONS_BYTES = 4096;

function readExtensions(json: string | undefined): ClientExtensions | undefined {
  const extensions = toClientExtensions(json);
  if (!extensions || Buffer.byteLength(writeObject(extensions.members)) <= MAX_EXTENSIONS_BYTES)
    return extensions;
  throw invalidParams(`extensions of ${CAPABILITIES_KEY} are larger than ${MAX_EXTENSIONS_BYTES} bytes`);
}

const invalidParams = (detail: string): RpcError =>
  new RpcError(INVALID_PARAMS, `Invalid params: ${detail}`, { status: 400 });
