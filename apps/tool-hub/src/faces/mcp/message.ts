import type { IncomingHttpHeaders } from 'node:http';
import { EVENT_ID } from '@legate/management-contract';
import {
  CAPABILITIES_KEY,
  decodeHeaderValue,
  HEADER_MISMATCH,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isObject,
  type JsonMembers,
  LEGACY_REVISIONS,
  MAX_ID_LENGTH,
  MODERN_REVISION,
  membersOf,
  NO_MEMBERS,
  PARSE_ERROR,
  UNSUPPORTED_VERSION,
  VERSION_KEY,
} from '@legate/mcp-client';
import { RpcError } from '../../refusals/rpc-error.ts';
import type { AgentMessage, Era } from './agent-request.ts';
import { readAgentSide } from './agent-side.ts';
import { findMethod } from './mcp-methods.ts';
import { readId } from './request-id.ts';

/** Key of the id of a denied call that is repeated, its `authorizationContextId` (SEP-2643) */
const CONTEXT_ID_KEY = 'io.modelcontextprotocol/authorization-context-id';

/**
 * Parses one JSON-RPC message and determines its era: the modern one declares it in `_meta` or in its header. There,
 * headers repeat the body for proxies that do not read bodies, so a difference is refused.
 * @param body parsed
 * @param envelope members of the same body as they were written; none if it is not an object
 * @throws {RpcError}
 * @see MCP 2026-07-28, Streamable HTTP; MCP 2025-11-25, Transports
 */
export function readMessage(
  headers: IncomingHttpHeaders,
  body: unknown,
  envelope: JsonMembers,
): AgentMessage {
  if (body === undefined) throw new RpcError(PARSE_ERROR, 'Parse error: there is no body', { status: 400 });
  if (Array.isArray(body)) throw invalidRequest('batches are not supported');
  if (!isObject(body) || body.jsonrpc !== '2.0') throw invalidRequest('this is not JSON-RPC 2.0');
  const { method } = body;
  const params = body.params ?? {}; // many clients write null for a member that they leave out
  if (method === undefined && ('result' in body || 'error' in body)) return { kind: 'response' };
  if (typeof method !== 'string') throw invalidRequest('method must be a string');
  if (!isObject(params)) throw new RpcError(INVALID_PARAMS, 'params must be an object', { status: 400 });
  const written = isObject(body.params) ? membersOf(envelope.get('params') ?? '') : NO_MEMBERS;
  if (body.id === undefined) return { kind: 'notification', method, params, written };
  const id = readId(body.id, envelope.get('id'));
  if (id === undefined)
    throw invalidRequest(`id must be an integer or a string, of at most ${MAX_ID_LENGTH} characters`);

  const { _meta, ...own } = params;
  const meta = isObject(_meta) ? _meta : {};
  const era = eraOf(headers, meta);
  if (era === 'modern') checkModern(headers, method, params, meta);
  const { agent, progressToken, canElicitUrl } = readAgentSide(era, meta, written.get('_meta'));
  return {
    kind: 'request',
    era,
    id,
    method,
    params: own,
    written,
    agent,
    canElicitUrl,
    retryOf: callIdIn(meta),
    progressToken,
    paramHeaders: era === 'modern' ? paramHeadersIn(headers) : new Map(),
  };
}

/** Reads the id of a call; ignores anything else. */
const callIdIn = ({ [CONTEXT_ID_KEY]: id }: Record<string, unknown>): string | undefined =>
  typeof id === 'string' && EVENT_ID.test(id) ? id : undefined;

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

/**
 * Returns the decoded value of an `Mcp-*` header.
 * @param name name of the header, for the error
 * @throws {RpcError} -32020 for an encoded value that is malformed
 */
function decodeHeader(name: string, value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const decoded = decodeHeaderValue(value);
  if (decoded === undefined) throw headerMalformed(name);
  return decoded;
}

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
