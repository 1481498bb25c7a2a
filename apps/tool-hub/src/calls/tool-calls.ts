import {
  HEADER_MISMATCH,
  type KnownParamHeaders,
  type McpRequest,
  type ParamHeader,
  paramHeadersOf,
} from '@legate/mcp-client';
import type { Caller } from '../domain/caller.ts';
import { type Connector, isBound } from '../domain/connector.ts';
import type { Served } from '../domain/served.ts';
import { toolNotFound } from '../refusals/tool-server-problems.ts';
import type { ListOf } from './list-pages.ts';
import type { SendAsCaller, SendOptions } from './tool-servers.ts';

/** What a call of a tool says, besides its name and arguments. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Further members of `params`: an agent's answers to what a tool asked for */
  readonly further?: Readonly<Record<string, unknown>> | undefined;
  readonly agent?: McpRequest['agent'];
}

/** @throws {Problem} when the agent may not use the tool, or no token can be had that the tool server takes */
export type SendToolCall = (
  caller: Caller,
  connector: Connector,
  call: ToolCall,
  options: SendOptions,
) => Promise<Served>;

/**
 * Calls a tool with the headers that it wants. Which these are stands in the list of tools, which costs a request: so it is
 * read only for a tool that has complained. A server that misses a header has not run the tool.
 */
export function createSendToolCall(deps: {
  send: SendAsCaller;
  listOf: ListOf;
  known: KnownParamHeaders;
}): SendToolCall {
  const { send, listOf, known } = deps;

  return async (caller, connector, call, options) => {
    if (!isBound(connector, call.name))
      throw toolNotFound(call.name, connector, { leg: 'binding', rule: 'tool_not_bound' });
    const attempt = (): Promise<Served> =>
      send(caller, connector, requestOf(call, known.find(connector, call.name)), options);
    const served = await attempt();
    if (served.answer.kind !== 'error' || served.answer.code !== HEADER_MISMATCH) return served;
    const { deadline, presence } = options;
    await listOf(caller, connector, 'tools', { deadline, presence, extensions: call.agent?.extensions });
    return known.find(connector, call.name).length > 0 ? attempt() : served;
  };
}

/** Without spreads where a call is what nearly all are: each would cost it 3 µs (docs/adr/0011). */
function requestOf(call: ToolCall, declared: readonly ParamHeader[]): McpRequest {
  const { name, arguments: args, further, agent } = call;
  const method = 'tools/call';
  const params = further ? { name, arguments: args, ...further } : { name, arguments: args };
  if (declared.length > 0) {
    const paramHeaders = paramHeadersOf(declared, args);
    return { method, name, params, paramHeaders, ...(agent && { agent }) };
  }
  return agent ? { method, name, params, agent } : { method, name, params };
}
