import { Problem } from '@legate/service';
import type { Caller } from '../caller/caller.ts';
import type { Connector } from '../connectors/connector.ts';
import { toolServerUnavailable } from '../delegation/problems.ts';
import { isObject } from './json-rpc.ts';
import type { SendAsCaller, Served } from './tool-servers.ts';

export interface Tools {
  /** The tools as the tool server describes them to this caller; nothing in them is changed, and nothing in them is trusted. */
  list(caller: Caller, connector: Connector): Promise<readonly Record<string, unknown>[]>;
  /** @returns the tool's result as JSON text (MCP CallToolResult), which may say `isError` */
  call(
    caller: Caller,
    connector: Connector,
    name: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly json: string; readonly fromCache: boolean }>;
}

const MAX_PAGES = 20;
/** JSON-RPC 2.0 §5.1 */
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const MAX_DETAIL_LENGTH = 500;

/** @param deps.timeoutMs for one call of ours, whatever number of requests it takes */
export function createTools(deps: { send: SendAsCaller; timeoutMs: number }): Tools {
  const { send, timeoutMs } = deps;

  async function listUntil(caller: Caller, connector: Connector, deadline: number) {
    const tools: Record<string, unknown>[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const { answer } = await send(caller, connector, { method: 'tools/list', params }, deadline);
      if (answer.kind !== 'result') throw toProblem(answer, connector);
      if (!isToolList(answer.result.tools))
        throw toolServerError('its list of tools is malformed', connector);
      tools.push(...answer.result.tools);
      if (typeof answer.result.nextCursor !== 'string') return tools;
      cursor = answer.result.nextCursor;
    }
    throw toolServerError(`its list of tools has more than ${MAX_PAGES} pages`, connector);
  }

  /** "Invalid params" is also what servers say to a tool that they do not have. */
  async function isUnknown(caller: Caller, connector: Connector, name: string, deadline: number) {
    const tools = await listUntil(caller, connector, deadline).catch(() => undefined);
    return tools !== undefined && !tools.some((tool) => tool.name === name);
  }

  return {
    list: (caller, connector) => listUntil(caller, connector, performance.now() + timeoutMs),
    async call(caller, connector, name, args) {
      const deadline = performance.now() + timeoutMs;
      const request = { method: 'tools/call', name, params: { name, arguments: args } } as const;
      const served = await send(caller, connector, request, deadline);
      const { answer } = served;
      if (answer.kind === 'result') return { json: answer.json, fromCache: served.fromCache };
      if (answer.kind === 'error' && answer.code === METHOD_NOT_FOUND) throw toolNotFound(name, connector);
      if (answer.kind === 'error' && answer.code === INVALID_PARAMS) {
        if (await isUnknown(caller, connector, name, deadline)) throw toolNotFound(name, connector);
        throw invalidArguments(served, answer.message);
      }
      throw toProblem(answer, connector);
    },
  };
}

const isToolList = (tools: unknown): tools is Record<string, unknown>[] =>
  Array.isArray(tools) && tools.every((tool) => isObject(tool) && typeof tool.name === 'string');

/** The only place where a tool server's failure becomes an answer of our API. */
function toProblem(answer: Exclude<Served['answer'], { kind: 'result' }>, connector: Connector): Problem {
  // What is too large there need not be too large here; either way the caller is at fault, and not the tool server.
  if ('status' in answer && answer.status === 413) return argumentsTooLarge(connector);
  switch (answer.kind) {
    case 'forbidden':
      return new Problem(403, 'tool_forbidden', 'Tool forbidden', {
        detail: 'The tool server does not allow this user to do this.',
        extensions: { connector_id: connector.id },
      });
    case 'unavailable':
      return toolServerUnavailable(answer.reason, connector);
    case 'unusable':
      return toolServerError(answer.reason, connector);
    case 'rejected':
      return toolServerError(`it refused the request with status ${answer.status}`, connector);
    case 'error':
      return toolServerError(`it answered with error ${answer.code}`, connector);
  }
}

/** @param reason in our own words: what the tool server says could hold anything */
const toolServerError = (reason: string, connector: Connector): Problem =>
  new Problem(502, 'tool_server_error', 'Tool server error', {
    detail: `The tool server of connector "${connector.id}" did not do what it was asked for: ${reason}.`,
    extensions: { connector_id: connector.id },
  });

const argumentsTooLarge = (connector: Connector): Problem =>
  new Problem(413, 'payload_too_large', 'Payload too large', {
    detail: `The tool server of connector "${connector.id}" does not take arguments of this size.`,
    extensions: { connector_id: connector.id },
  });

const toolNotFound = (name: string, connector: Connector): Problem =>
  new Problem(404, 'tool_not_found', 'Tool not found', {
    detail: `Connector "${connector.id}" has no tool "${name}".`,
  });

/** Whoever wrote the arguments needs to read what is wrong with them, unless the tool server puts our token into it. */
function invalidArguments(served: Served, message: string): Problem {
  const isTellable = message !== '' && !message.includes(served.accessToken);
  return new Problem(400, 'invalid_arguments', 'Invalid arguments', {
    detail: 'The tool server does not accept these arguments.',
    errors: isTellable
      ? [{ pointer: '/arguments', code: 'invalid', detail: message.slice(0, MAX_DETAIL_LENGTH) }]
      : [],
  });
}
