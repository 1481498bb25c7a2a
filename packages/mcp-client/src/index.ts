export type { ClientInfo } from './client-description.ts';
export { type ClientExtensions, toClientExtensions } from './client-extensions.ts';
export type { Progress } from './event-stream.ts';
export { isDeeperThan } from './json-depth.ts';
export { type Span, spansOf } from './json-members.ts';
export {
  CAPABILITY_MISSING,
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isObject,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  parseObject,
  UNSUPPORTED_VERSION,
} from './json-rpc.ts';
export { LISTS, type ListKind } from './list-kinds.ts';
export { isAtLeast, LogLevel, type LogMessage } from './log-message.ts';
export type { McpAnswer } from './mcp-answer.ts';
export { createMcpClient, type McpClient } from './mcp-client.ts';
export type { McpCredential } from './mcp-credential.ts';
export {
  type AgentSide,
  LOG_LEVEL_KEY,
  type McpRequest,
  NO_AGENT,
} from './mcp-request.ts';
export type { Interim, McpTarget, OnListChanged, Waiting } from './mcp-target.ts';
export {
  createKnownParamHeaders,
  type KnownParamHeaders,
  type ParamHeader,
  paramHeadersOf,
  paramValuesOf,
  readParamHeaders,
} from './param-headers.ts';
export { LEGACY_REVISIONS, MODERN_REVISION } from './revisions.ts';
export { containsSecret } from './secret-echo.ts';
