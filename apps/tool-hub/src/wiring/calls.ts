import type { Delegations, Pause } from '@legate/delegation';
import {
  createKnownParamHeaders,
  createMcpClient,
  type KnownParamHeaders,
  type McpClient,
  type OnListChanged,
} from '@legate/mcp-client';
import type { HttpClient } from '@legate/service';
import type { CallTrail } from '../audit/call-trail.ts';
import { guardToolServers } from '../calls/guarded-legs.ts';
import { createListOf, createReadList, type ListOf, type ReadList } from '../calls/list-pages.ts';
import { createSendToolCall, type SendToolCall } from '../calls/tool-calls.ts';
import { createSendAsCaller, type SendAsCaller } from '../calls/tool-servers.ts';
import { createTools, type Tools } from '../calls/tools.ts';
import { hubBusy } from '../refusals/hub-busy.ts';
import type { ConnectorGuards } from '../resilience/connector-guards.ts';

/** What tool servers are told about the hub. */
const CLIENT = {
  name: 'legate-tool-hub',
  version: '0.1.0',
  extensions: { 'io.modelcontextprotocol/enterprise-managed-authorization': {} },
};

/** Tool servers, as both doors reach them. */
export interface Calls {
  /** Without breakers: to look at what is broken */
  readonly mcp: McpClient;
  readonly send: SendAsCaller;
  readonly readList: ReadList;
  readonly listOf: ListOf;
  readonly callTool: SendToolCall;
  readonly known: KnownParamHeaders;
  readonly tools: Tools;
}

export function createCalls(deps: {
  delegations: Delegations;
  guards: ConnectorGuards;
  trail: Pick<CallTrail, 'outsideCalls'>;
  http: Pick<HttpClient, 'dispatcher'>;
  pause: Pause;
  clock: () => Date;
  toolCallTimeoutMs: number;
  toolResultMaxBytes: number;
  onListChanged: OnListChanged;
}): Calls {
  const { delegations, guards, trail, clock, toolResultMaxBytes: maxBytes } = deps;
  const mcp = createMcpClient({
    client: CLIENT,
    dispatcher: deps.http.dispatcher,
    pause: deps.pause,
    clock,
    maxBytes,
    onListChanged: deps.onListChanged,
    noMemory: hubBusy,
  });
  const send = createSendAsCaller({
    delegations,
    mcp: guardToolServers(mcp, guards),
    outsideCalls: trail.outsideCalls,
  });
  const known = createKnownParamHeaders();
  const readList = createReadList({ send, known, maxBytes, clock });
  const listOf = createListOf(readList);
  const callTool = createSendToolCall({ send, listOf, known });
  const tools = createTools({ callTool, listOf, timeoutMs: deps.toolCallTimeoutMs });
  return { mcp, send, readList, listOf, callTool, known, tools };
}
