export {
  CAPABILITIES_KEY,
  CAPABILITY_MISSING,
  decodeHeaderValue,
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isObject,
  LEGACY_REVISIONS,
  type LegacyRevision,
  LOG_LEVEL_KEY,
  METHOD_NOT_FOUND,
  MODERN_REVISION,
  PARSE_ERROR,
  type ParamHeader,
  paramValuesOf,
  parseObject,
  type Revision,
  readParamHeaders,
  UNSUPPORTED_VERSION,
  VERSION_KEY,
} from '@legate/mcp-wire';
export type { ClientInfo } from './client-description.ts';
export * from './client-extensions.ts';
export * from './json-depth.ts';
export * from './json-members.ts';
export * from './json-rpc-id.ts';
export * from './known-param-headers.ts';
export * from './list-kinds.ts';
export * from './listen.ts';
export { isAtLeast, LogLevel, type LogMessage } from './log-message.ts';
export * from './mcp-answer.ts';
export { createMcpClient, type McpClient, type OpenMcpClient } from './mcp-client.ts';
export * from './mcp-request.ts';
export * from './mcp-target.ts';
