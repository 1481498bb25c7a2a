import { type ActsAs, actsAs } from '@legate/delegation';
import { INVALID_PARAMS, isObject, METHOD_NOT_FOUND } from '@legate/mcp-client';
import { APPROVAL_KEY, approvalOf, saysReadOnly } from '../domain/approval.ts';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import { withoutOurKeys } from '../domain/our-keys.ts';
import type { Presence } from '../domain/presence.ts';
import {
  argumentsRefused,
  toolNotFound,
  toolServerError,
  toProblem,
} from '../refusals/tool-server-problems.ts';
import type { ListOf } from './list-pages.ts';
import type { SendToolCall } from './tool-calls.ts';
import type { SendOptions } from './tool-servers.ts';

/** The tools of a connector, as an application uses them. */
export interface Tools {
  /**
   * The tools as the tool server describes them to this caller; nothing in them is trusted, and nothing is changed but
   * what `_meta` says in the hub's name: for an agent, whether its host is to ask its user first.
   */
  list(
    caller: Caller,
    connector: Connector,
    presence?: Presence,
  ): Promise<{ readonly tools: readonly Readonly<Record<string, unknown>>[]; readonly actsAs: ActsAs }>;
  /**
   * @param options.presence of a caller who may go away
   * @returns the tool's result as JSON text (MCP CallToolResult), which may say `isError`
   */
  call(
    caller: Caller,
    connector: Connector,
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: Pick<SendOptions, 'admitted' | 'presence' | 'observer'>,
  ): Promise<{ readonly json: string; readonly fromCache: boolean; readonly actsAs: ActsAs }>;
}

/** @param deps.timeoutMs for one call of ours, whatever number of requests it takes */
export function createTools(deps: { callTool: SendToolCall; listOf: ListOf; timeoutMs: number }): Tools {
  const { callTool, listOf, timeoutMs } = deps;

  /** Half a list would say that the other half does not exist. */
  async function listUntil(caller: Caller, connector: Connector, deadline: number, presence?: Presence) {
    const { items, isCut, actsAs: as } = await listOf(caller, connector, 'tools', { deadline, presence });
    if (isCut) throw toolServerError('its list of tools is too long', connector);
    if (items.some(({ name }) => typeof name !== 'string'))
      throw toolServerError('its list of tools is malformed', connector);
    return { tools: items, actsAs: as };
  }

  /** "Invalid params" is also what servers say to a tool that they do not have. */
  async function isUnknown(caller: Caller, connector: Connector, name: string, deadline: number) {
    const list = await listUntil(caller, connector, deadline).catch(() => undefined);
    return list !== undefined && !list.tools.some((tool) => tool.name === name);
  }

  return {
    async list(caller, connector, presence) {
      const list = await listUntil(caller, connector, performance.now() + timeoutMs, presence);
      return { ...list, tools: list.tools.map((tool) => tellApproval(connector, tool)) };
    },
    async call(caller, connector, name, args, { admitted, presence, observer }) {
      const deadline = performance.now() + timeoutMs;
      const options = { deadline, presence, observer, admitted };
      const served = await callTool(caller, connector, { name, arguments: args }, options);
      const { answer, credential, fromCache } = served;
      if (answer.kind === 'result') return { json: jsonOf(answer), fromCache, actsAs: actsAs(credential) };
      if (answer.kind === 'error' && answer.code === METHOD_NOT_FOUND) throw toolNotFound(name, connector);
      if (answer.kind === 'error' && answer.code === INVALID_PARAMS) {
        if (await isUnknown(caller, connector, name, deadline)) throw toolNotFound(name, connector);
        throw argumentsRefused(answer.message);
      }
      throw toProblem(answer, connector);
    },
  };
}

/** As the tool server wrote it, without what it says in the hub's name. */
function jsonOf({
  json,
  result,
}: {
  readonly json: string;
  readonly result: Readonly<Record<string, unknown>>;
}): string {
  const meta = withoutOurKeys(result._meta);
  return meta === result._meta ? json : JSON.stringify({ ...result, _meta: meta });
}

function tellApproval(connector: Connector, tool: Readonly<Record<string, unknown>>) {
  const approval = approvalOf(connector, { isReadOnly: saysReadOnly(tool) });
  const meta = withoutOurKeys(tool._meta);
  if (approval === undefined) return meta === tool._meta ? tool : { ...tool, _meta: meta };
  return { ...tool, _meta: { ...(isObject(meta) && meta), [APPROVAL_KEY]: approval } };
}
