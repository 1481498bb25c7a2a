import { INVALID_PARAMS, type McpAnswer, METHOD_NOT_FOUND, parseObject } from '@legate/mcp-client';
import { RpcError } from '../../refusals/rpc-error.ts';
import type { AgentRequest } from './agent-request.ts';

/** Error code of servers before 2026-07-28 for an unknown resource. */
const RESOURCE_NOT_FOUND = -32002;
const NOT_FOUND = [METHOD_NOT_FOUND, RESOURCE_NOT_FOUND];

export const unknown = (what: 'tool' | 'prompt', cause?: unknown): RpcError =>
  new RpcError(INVALID_PARAMS, `Invalid params: there is no such ${what}`, {
    // The -32602 of a tool server's own is about the arguments.
    ...(what === 'tool' && { data: { code: 'tool_not_found' } }),
    cause,
  });

/** Returns true for the error of a server of 2026-07-28: -32602 with the URI. */
export const isNotFound = (
  { code, data }: Extract<McpAnswer, { kind: 'error' }>,
  { method, name }: { method: string; name: string },
): boolean =>
  NOT_FOUND.includes(code) ||
  (code === INVALID_PARAMS && method === 'resources/read' && parseObject(data ?? '')?.uri === name);

/** Returns the error for a method that the hub, or the tool server, does not have. */
export const methodNotFound = (era: AgentRequest['era']): RpcError =>
  new RpcError(METHOD_NOT_FOUND, 'Method not found', { status: era === 'modern' ? 404 : 200 });

export const notFound = (request: AgentRequest): RpcError =>
  request.method === 'prompts/get' ? unknown('prompt') : resourceNotFound(request);

/** Returns the error for an unknown resource. The code depends on the revision (MCP, Resources, "Error handling"). */
export function resourceNotFound({ era, params: { uri } }: AgentRequest): RpcError {
  if (typeof uri !== 'string') return new RpcError(INVALID_PARAMS, 'Invalid params: uri must be a string');
  const code = era === 'modern' ? INVALID_PARAMS : RESOURCE_NOT_FOUND;
  return new RpcError(code, 'Resource not found', { data: { uri } });
}
