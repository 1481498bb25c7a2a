import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { EVENT_ID } from '@legate/management-contract';
import {
  type AgentSide,
  type ClientExtensions,
  HEADER_MISMATCH,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isObject,
  LEGACY_REVISIONS,
  LOG_LEVEL_KEY,
  LogLevel,
  MODERN_REVISION,
  PARSE_ERROR,
  toClientExtensions,
  UNSUPPORTED_VERSION,
} from '@legate/mcp-client';
import { isOurKey } from '../../domain/our-keys.ts';
import { RpcError } from '../../refusals/rpc-error.ts';
import { elicits } from './elicitation.ts';
import { type Era, findMethod } from './mcp-methods.ts';

export type RequestId = string | number;

export interface AgentRequest {
  readonly kind: 'request';
  readonly era: Era;
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly agent: AgentSide;
  /** The agent can lead its user to an address. */
  readonly canElicitUrl: boolean;
  /** Id of the denied call that this one repeats, as the agent says: for the audit trail alone */
  readonly retryOf: string | undefined;
  /** The token under which the agent wants progress */
  readonly progressToken: RequestId | undefined;
  /** Modern revision: argument values from headers, by header name in lower case */
  readonly paramHeaders: ReadonlyMap<string, string | undefined>;
}

export type AgentMessage =
  | AgentRequest
  | {
      readonly kind: 'notification';
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
    }
  /** An answer to a question that we did not ask */
  | { readonly kind: 'response' };

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** Repeats `authorizationContextId` of a denial (SEP-2643). */
const CONTEXT_ID_KEY = 'io.modelcontextprotocol/authorization-context-id';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
/** Keys of the protocol, which are the hub's to set upstream. */
const PROTOCOL_KEY = /^(?:io\.)?(?:modelcontextprotocol|mcp)(?:\.[^/]*)?\//;
/** Capabilities that a tool may request from an agent. The agent's other capabilities concern only the hub. */
const ASKABLE = ['elicitation', 'sampling', 'roots'];

/** Characters of a request id or progress token. The token is repeated in each progress notification. */
const MAX_ID_LENGTH = 256;

/**
 * Parses one JSON-RPC message and determines its era: the modern one declares it in `_meta` or in its header. There,
 * headers repeat the body for proxies that do not read bodies, so a difference is refused.
 * @throws {RpcError}
 * @see MCP 2026-07-28, Streamable HTTP; MCP 2025-11-25, Transports
 */
export function readMessage(headers: IncomingHttpHeaders, body: unknown): AgentMessage {
  if (body === undefined) throw new RpcError(PARSE_ERROR, 'Parse error: there is no body', { status: 400 });
  if (Array.isArray(body)) throw invalidRequest('batches are not taken');
  if (!isObject(body) || body.jsonrpc !== '2.0') throw invalidRequest('this is not JSON-RPC 2.0');
  const { method, id } = body;
  const params = body.params ?? {}; // many clients write null for a member that they leave out
  if (method === undefined && ('result' in body || 'error' in body)) return { kind: 'response' };
  if (typeof method !== 'string') throw invalidRequest('method must be a string');
  if (!isObject(params)) throw new RpcError(INVALID_PARAMS, 'params must be an object', { status: 400 });
  if (id === undefined) return { kind: 'notification', method, params };
  if (!isId(id))
    throw invalidRequest(`id must be an integer, or a string of at most ${MAX_ID_LENGTH} characters`);

  const { _meta, ...own } = params;
  const meta = isObject(_meta) ? _meta : {};
  const era = eraOf(headers, meta);
  if (era === 'modern') checkModern(headers, method, params, meta);
  const progressToken = progressTokenIn(meta);
  const agent: AgentSide = {
    meta: withoutKeys(meta, (key) => key === 'progressToken' || PROTOCOL_KEY.test(key) || isOurKey(key)),
    capabilities: era === 'modern' ? askable(meta[CAPABILITIES_KEY]) : {},
    extensions: era === 'modern' ? readExtensions(meta[CAPABILITIES_KEY]) : undefined,
    wantsProgress: progressToken !== undefined,
    logLevel: era === 'modern' ? readLogLevel(meta[LOG_LEVEL_KEY]) : undefined,
  };
  const paramHeaders = era === 'modern' ? paramHeadersIn(headers) : new Map();
  return {
    kind: 'request',
    era,
    id,
    method,
    params: own,
    agent,
    canElicitUrl: elicits(agent.capabilities.elicitation, 'url'),
    retryOf: callIdIn(meta),
    progressToken,
    paramHeaders,
  };
}

/** What is no id of a call is ignored. */
const callIdIn = ({ [CONTEXT_ID_KEY]: id }: Record<string, unknown>): string | undefined =>
  typeof id === 'string' && EVENT_ID.test(id) ? id : undefined;

/** @throws {RpcError} if it is too long; a value that is neither a string nor an integer requests no progress */
function progressTokenIn({ progressToken }: Record<string, unknown>): RequestId | undefined {
  if (typeof progressToken === 'string' && progressToken.length > MAX_ID_LENGTH)
    throw new RpcError(
      INVALID_PARAMS,
      `Invalid params: progressToken must have at most ${MAX_ID_LENGTH} characters`,
      { status: 400 },
    );
  return isId(progressToken) ? progressToken : undefined;
}

function paramHeadersIn(headers: IncomingHttpHeaders): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const name of Object.keys(headers))
    if (name.startsWith('mcp-param-')) found.set(name, decodeHeader(name, headers[name]));
  return found;
}

function eraOf(headers: IncomingHttpHeaders, meta: Record<string, unknown>): Era {
  const version = headers['mcp-protocol-version'];
  const isLegacy = version === undefined || LEGACY_REVISIONS.some((known) => known === version);
  return isLegacy && meta[VERSION_KEY] === undefined ? 'legacy' : 'modern';
}

function checkModern(
  headers: IncomingHttpHeaders,
  method: string,
  params: Record<string, unknown>,
  meta: Record<string, unknown>,
): void {
  const inHeader = headers['mcp-protocol-version'];
  const inBody = meta[VERSION_KEY];
  // Compared before the version is checked: a proxy that routes by the header must see the body's version.
  if (typeof inBody === 'string' && inHeader !== inBody) throw headerMismatch('MCP-Protocol-Version');
  const version = inBody ?? inHeader;
  if (typeof version === 'string' && version !== MODERN_REVISION) {
    throw new RpcError(UNSUPPORTED_VERSION, 'Unsupported protocol version', {
      status: 400,
      data: { supported: [MODERN_REVISION], requested: version.slice(0, 64) },
    });
  }
  if (inBody !== MODERN_REVISION) throw incompleteMeta(VERSION_KEY);
  if (!isObject(meta[CAPABILITIES_KEY])) throw incompleteMeta(CAPABILITIES_KEY);
  if (headers['mcp-method'] !== method) throw headerMismatch('Mcp-Method');
  const member = findMethod(method)?.namedBy;
  if (member !== undefined && decodeHeader('Mcp-Name', headers['mcp-name']) !== params[member])
    throw headerMismatch('Mcp-Name');
}

const ENCODED = /^=\?base64\?(.*)\?=$/i;

/**
 * Returns the value of an `Mcp-*` header. The encoded form `=?base64?…?=` is for what a header cannot carry.
 * @param name of the header, for the error
 * @throws {RpcError} -32020 where the encoded form is not the one base64 text of a UTF-8 string (RFC 4648 §3.5): two
 * readers must not decode it to different values
 */
function decodeHeader(name: string, value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded || !isUtf8(bytes)) throw headerMalformed(name);
  return bytes.toString('utf8');
}

function readLogLevel(value: unknown): LogLevel | undefined {
  if (value === undefined) return undefined;
  const { success, data } = LogLevel.safeParse(value);
  if (success) return data;
  throw new RpcError(INVALID_PARAMS, `Invalid params: ${LOG_LEVEL_KEY} is not a log level`, { status: 400 });
}

/** Bytes: they go upstream with every request. */
const MAX_EXTENSIONS_BYTES = 4096;

function readExtensions(capabilities: unknown): ClientExtensions | undefined {
  if (!isObject(capabilities) || capabilities.extensions === undefined) return undefined;
  const extensions = toClientExtensions(capabilities.extensions);
  if (!extensions || Buffer.byteLength(JSON.stringify(extensions.members)) <= MAX_EXTENSIONS_BYTES)
    return extensions;
  const text = `extensions of ${CAPABILITIES_KEY} are larger than ${MAX_EXTENSIONS_BYTES} bytes`;
  throw new RpcError(INVALID_PARAMS, `Invalid params: ${text}`, { status: 400 });
}

const askable = (capabilities: unknown): Record<string, unknown> =>
  isObject(capabilities) ? withoutKeys(capabilities, (key) => !ASKABLE.includes(key)) : {};

const withoutKeys = (
  object: Record<string, unknown>,
  isLeftOut: (key: string) => boolean,
): Record<string, unknown> => Object.fromEntries(Object.entries(object).filter(([key]) => !isLeftOut(key)));

/** `null` is no id of a request in MCP, and one that is too long is none that the hub repeats. */
export const isId = (value: unknown): value is RequestId =>
  typeof value === 'string' ? value.length <= MAX_ID_LENGTH : Number.isSafeInteger(value);

const invalidRequest = (detail: string): RpcError =>
  new RpcError(INVALID_REQUEST, `Invalid Request: ${detail}`, { status: 400 });

const incompleteMeta = (key: string): RpcError =>
  new RpcError(INVALID_PARAMS, `Invalid params: _meta lacks ${key}`, { status: 400 });

const headerMalformed = (header: string): RpcError =>
  new RpcError(HEADER_MISMATCH, `Header mismatch: ${header} is not valid base64 of UTF-8 text`, {
    status: 400,
  });

export const headerMismatch = (header: string): RpcError =>
  new RpcError(HEADER_MISMATCH, `Header mismatch: ${header} is missing, or differs from the body`, {
    status: 400,
  });
