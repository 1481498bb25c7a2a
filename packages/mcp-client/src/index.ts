export type { ClientInfo } from './client-description.ts';
export * from './client-extensions.ts';
export * from './json-depth.ts';
export * from './json-members.ts';
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
export * from './json-rpc-id.ts';
export * from './list-kinds.ts';
export * from './listen.ts';
export { isAtLeast, LogLevel, type LogMessage } from './log-message.ts';
export * from './mcp-answer.ts';
export { createMcpClient, type McpClient, type OpenMcpClient } from './mcp-client.ts';
export * from './mcp-request.ts';
export * from './mcp-target.ts';
export * from './param-headers.ts';
export * from './revisions.ts';
export * from './secret-echo.ts';
