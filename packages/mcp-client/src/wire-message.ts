import {
  ACCEPTED_TYPES,
  CAPABILITIES_KEY,
  encodeHeaderValue,
  LEGACY_REVISIONS,
  type LegacyRevision,
  LOG_LEVEL_KEY,
  METHOD_NOT_FOUND,
  MODERN_REVISION,
} from '@legate/mcp-wire';
import { formatTraceparent, type TraceContext } from '@legate/service/outbound';
import type { ClientDescription } from './client-description.ts';
import type { ClientExtensions } from './client-extensions.ts';
import { type JsonMembers, membersOf, NO_MEMBERS, writeObject } from './json-members.ts';
import { type AgentSide, type McpRequest, NO_AGENT, type ServerRequest } from './mcp-request.ts';
import type { McpCredential } from './mcp-target.ts';

const JSON_TYPE = 'application/json';

export interface WireMessage {
  readonly headers: string[];
  readonly body: string;
}

/** Opens a stream with GET, or ends a session with DELETE. */
export interface BodylessRequest {
  readonly method: 'GET' | 'DELETE';
  readonly headers: string[];
  readonly body: null;
}

/**
 * Revision 2026-07-28: everything in one request; the headers repeat the body, and servers compare.
 * @param trace that the request belongs to; undefined: none
 */
export function modernMessage(
  client: ClientDescription,
  request: McpRequest,
  id: number,
  credential: McpCredential,
  trace?: TraceContext,
): WireMessage {
  const headers = commonHeaders(credential, trace);
  headers.push('mcp-protocol-version', MODERN_REVISION, 'mcp-method', request.method);
  if (request.name !== undefined) headers.push('mcp-name', encodeHeaderValue(request.name));
  if (request.paramHeaders) headers.push(...request.paramHeaders);
  const { agent } = request;
  const meta =
    agent && saysSomething(agent) ? writeObject(modernMeta(client, agent, id, trace)) : metaIn(client, trace);
  return { headers, body: requestText(id, request.method, withMeta(request.params, meta)) };
}

/** Built as text, so that JSON text from the caller is passed on unchanged. @param params JSON text */
const requestText = (id: number, method: string, params: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;

const withMeta = (params: string, meta: string): string =>
  `${params.slice(0, -1)}${params === '{}' ? '' : ','}"_meta":${meta}}`;

/** Built as text, so that constant parts are not stringified again for each call. */
function metaIn({ metaJson }: ClientDescription, trace: TraceContext | undefined): string {
  if (!trace) return metaJson;
  const state = trace.state === undefined ? '' : `,"tracestate":${JSON.stringify(trace.state)}`;
  return `${metaJson.slice(0, -1)},"traceparent":"${formatTraceparent(trace)}"${state}}`;
}

/** Most agents declare nothing beyond the protocol's own members, which this client sets itself. */
const saysSomething = (agent: AgentSide): boolean =>
  agent.wantsProgress ||
  agent.logLevel !== undefined ||
  agent.extensions !== undefined ||
  agent.meta.size > 0 ||
  agent.capabilities.size > 0;

/** An agent adds to the client's own extensions and changes none of them. */
function capabilitiesWith(
  { capabilities }: ClientDescription,
  { extensions, capabilities: askable }: Pick<AgentSide, 'extensions' | 'capabilities'>,
): string {
  const own = membersOf(JSON.stringify(capabilities.extensions ?? {}));
  const all = new Map([...(extensions?.members ?? NO_MEMBERS), ...own]);
  return writeObject(all.size === 0 ? askable : [...askable, ['extensions', writeObject(all)]]);
}

function modernMeta(
  client: ClientDescription,
  agent: AgentSide,
  id: number,
  trace: TraceContext | undefined,
): JsonMembers {
  const meta = new Map([...legacyMeta(agent, id, trace), ...client.meta]);
  meta.set(CAPABILITIES_KEY, capabilitiesWith(client, agent));
  if (agent.logLevel) meta.set(LOG_LEVEL_KEY, JSON.stringify(agent.logLevel));
  return meta;
}

/**
 * Replaces the agent's progress token, which is unique only among its own requests, by the id of ours, and the agent's
 * trace context by that of the current request.
 */
function legacyMeta(agent: AgentSide, id: number, trace: TraceContext | undefined): JsonMembers {
  const meta = new Map(agent.meta);
  if (agent.wantsProgress) meta.set('progressToken', String(id));
  if (!trace) return meta;
  meta.set('traceparent', JSON.stringify(formatTraceparent(trace)));
  meta.delete('tracestate');
  if (trace.state !== undefined) meta.set('tracestate', JSON.stringify(trace.state));
  return meta;
}

export interface LegacySession {
  readonly revision: string;
  /** Undefined if the server keeps no sessions. */
  readonly id: string | undefined;
}

export function legacyMessage(
  request: McpRequest,
  id: number,
  credential: McpCredential,
  session: LegacySession,
  trace?: TraceContext,
): WireMessage {
  const { method } = request;
  return {
    headers: legacyHeaders(credential, session, trace),
    body: requestText(id, method, legacyParams(request, id, trace)),
  };
}

function legacyParams(
  { params, agent = NO_AGENT }: McpRequest,
  id: number,
  trace: TraceContext | undefined,
): string {
  const meta = legacyMeta(agent, id, trace);
  return meta.size > 0 ? withMeta(params, writeObject(meta)) : params;
}

/** Revisions up to 2025-11-25: in these, a broken connection does not cancel a request. */
export function cancelledMessage(
  requestId: number,
  credential: McpCredential,
  session: LegacySession,
): WireMessage {
  return {
    headers: legacyHeaders(credential, session),
    body: JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId, reason: 'The caller went away.' },
    }),
  };
}

export function initializeMessage(
  client: ClientDescription,
  id: number,
  credential: McpCredential,
  protocolVersion: LegacyRevision = LEGACY_REVISIONS[0],
  extensions?: ClientExtensions,
): WireMessage {
  const params = writeObject([
    ['protocolVersion', JSON.stringify(protocolVersion)],
    ['capabilities', capabilitiesWith(client, { extensions, capabilities: NO_MEMBERS })],
    ['clientInfo', JSON.stringify(client.info)],
  ]);
  return { headers: commonHeaders(credential), body: requestText(id, 'initialize', params) };
}

export function initializedMessage(credential: McpCredential, session: LegacySession): WireMessage {
  return {
    headers: legacyHeaders(credential, session),
    body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  };
}

export function pingMessage(id: number, credential: McpCredential, session: LegacySession): WireMessage {
  return {
    headers: legacyHeaders(credential, session),
    body: `{"jsonrpc":"2.0","id":${id},"method":"ping"}`,
  };
}

/**
 * Responds to a request of the server: to `ping` with a result, and to any other with an error, because the client has
 * not declared the capability.
 */
export function responseMessage(
  { id, method }: ServerRequest,
  credential: McpCredential,
  session: LegacySession,
): WireMessage {
  const outcome =
    method === 'ping' ? '"result":{}' : `"error":{"code":${METHOD_NOT_FOUND},"message":"Method not found"}`;
  return {
    headers: legacyHeaders(credential, session),
    body: `{"jsonrpc":"2.0","id":${id},${outcome}}`,
  };
}

/** @see MCP 2025-11-25, Transports, "Resumability and redelivery" */
export function resumeRequest(
  lastEventId: string,
  credential: McpCredential,
  session: LegacySession,
): BodylessRequest {
  const headers = legacyHeaders(credential, session);
  headers.push('last-event-id', lastEventId);
  return { method: 'GET', headers, body: null };
}

/** @see MCP 2025-11-25, Transports, "Session Management" */
export const endRequest = (credential: McpCredential, session: LegacySession): BodylessRequest => ({
  method: 'DELETE',
  headers: legacyHeaders(credential, session),
  body: null,
});

function legacyHeaders(credential: McpCredential, session: LegacySession, trace?: TraceContext): string[] {
  const headers = commonHeaders(credential, trace);
  headers.push('mcp-protocol-version', session.revision);
  if (session.id !== undefined) headers.push('mcp-session-id', session.id);
  return headers;
}

/** Names and values in turn, which undici accepts without creating an object. */
function commonHeaders(credential: McpCredential, trace?: TraceContext): string[] {
  const headers = ['content-type', JSON_TYPE, 'accept', ACCEPTED_TYPES];
  if (trace) headers.push('traceparent', formatTraceparent(trace));
  if (trace?.state !== undefined) headers.push('tracestate', trace.state);
  switch (credential.kind) {
    case 'access_token':
      headers.push('authorization', `Bearer ${credential.accessToken}`);
      break;
    case 'api_key':
      headers.push(credential.header, credential.value);
      break;
    case 'client_certificate': // the connection sends it
      break;
  }
  return headers;
}
