import type { Caller } from '../caller/caller.ts';
import type { Connector } from '../connectors/connector.ts';
import { HEADER_MISMATCH } from './json-rpc.ts';
import type { ListOf } from './list-pages.ts';
import type { McpRequest } from './mcp-request.ts';
import { type KnownParamHeaders, paramHeadersOf } from './param-headers.ts';
import { toolNotFound } from './problems.ts';
import type { SendAsCaller, SendOptions, Served } from './tool-servers.ts';

/** What a call of a tool says, besides its name and arguments. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Further members of `params`: an agent's answers to what a tool asked for */
  readonly further?: Readonly<Record<string, unknown>>;
  readonly agent?: McpRequest['agent'];
}

/** @throws {Problem} when the agent may not use the tool, or no token can be had that the tool server takes */
export type SendToolCall = (
  caller: Caller,
  connector: Connector,
  call: ToolCall,
  options: SendOptions,
) => Promise<Served>;

/** Whether the agent for which the connector was narrowed may use the tool. */
export const isBound = ({ binding }: Connector, tool: unknown): boolean =>
  binding?.tools === undefined || (typeof tool === 'string' && binding.tools.has(tool));

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
    if (!isBound(connector, call.name)) throw toolNotFound(call.name, connector);
    const params = { name: call.name, arguments: call.arguments, ...call.further };
    const attempt = (): Promise<Served> => {
      const declared = known.find(connector, call.name);
      return send(
        caller,
        connector,
        {
          method: 'tools/call',
          name: call.name,
          params,
          ...(declared.length > 0 && { paramHeaders: paramHeadersOf(declared, call.arguments) }),
          ...(call.agent && { agent: call.agent }),
        },
        options,
      );
    };
    const served = await attempt();
    if (served.answer.kind !== 'error' || served.answer.code !== HEADER_MISMATCH) return served;
    const { deadline, presence } = options;
    await listOf(caller, connector, 'tools', { deadline, presence });
    return known.find(connector, call.name).length > 0 ? attempt() : served;
  };
}
