import type { HttpClient } from '@legate/service';
import type { CallTrail } from '../audit/call-trail.ts';
import type { Delegations } from '../delegation/delegations.ts';
import type { ConnectorGuards } from '../resilience/connector-guards.ts';
import { guardToolServers } from '../resilience/guarded-legs.ts';
import type { Pause } from '../resilience/pause.ts';
import { createListOf, createReadList, type ListOf, type ReadList } from './list-pages.ts';
import { createMcpClient, type McpClient, type OnListChanged } from './mcp-client.ts';
import { createKnownParamHeaders, type KnownParamHeaders } from './param-headers.ts';
import { createSendToolCall, type SendToolCall } from './tool-calls.ts';
import { createSendAsCaller, type SendAsCaller } from './tool-servers.ts';
import { createTools, type Tools } from './tools.ts';

/** Tool servers, as both doors reach them. */
export interface Upstream {
  /** Without breakers: to look at what is broken */
  readonly mcp: McpClient;
  readonly send: SendAsCaller;
  readonly readList: ReadList;
  readonly listOf: ListOf;
  readonly callTool: SendToolCall;
  readonly known: KnownParamHeaders;
  readonly tools: Tools;
}

export function createUpstream(deps: {
  delegations: Delegations;
  guards: ConnectorGuards;
  trail: Pick<CallTrail, 'begin' | 'end'>;
  http: Pick<HttpClient, 'dispatcher'>;
  pause: Pause;
  clock: () => Date;
  toolCallTimeoutMs: number;
  toolResultMaxBytes: number;
  onListChanged: OnListChanged;
}): Upstream {
  const { delegations, guards, trail, toolResultMaxBytes: maxBytes } = deps;
  const mcp = createMcpClient({ ...deps, dispatcher: deps.http.dispatcher, maxBytes });
  const send = createSendAsCaller({ delegations, mcp: guardToolServers(mcp, guards), trail });
  const known = createKnownParamHeaders();
  const readList = createReadList({ send, known, maxBytes, clock: deps.clock });
  const listOf = createListOf(readList);
  const callTool = createSendToolCall({ send, listOf, known });
  const tools = createTools({ callTool, listOf, timeoutMs: deps.toolCallTimeoutMs });
  return { mcp, send, readList, listOf, callTool, known, tools };
}
