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
import { type CallTool, createCallTool, createSendAsCaller, type SendAsCaller } from '../calls/call-tool.ts';
import { createListOf, createReadList, type ListOf, type ReadList } from '../calls/list-pages.ts';
import { createListTools, type ListTools } from '../calls/list-tools.ts';
import { hubBusy } from '../refusals/hub-busy.ts';
import type { ConnectorGuards } from '../resilience/connector-guards.ts';
import type { Sessions } from '../sign-in/sessions.ts';

/** How the hub describes itself to tool servers. */
const CLIENT = {
  name: 'legate-tool-hub',
  version: '0.1.0',
  extensions: { 'io.modelcontextprotocol/enterprise-managed-authorization': {} },
};

/** Access to tool servers, for `/api/v1` and `/mcp`. */
export interface Calls {
  /** Without breakers: to examine a broken tool server */
  readonly mcp: McpClient;
  readonly send: SendAsCaller;
  readonly readList: ReadList;
  readonly listOf: ListOf;
  readonly callTool: CallTool;
  readonly known: KnownParamHeaders;
  readonly listTools: ListTools;
}

export function createCalls(deps: {
  delegations: Delegations;
  sessions: Pick<Sessions, 'endIfRefused'>;
  guards: ConnectorGuards;
  trail: Pick<CallTrail, 'outsideCalls'>;
  http: Pick<HttpClient, 'dispatcher'>;
  pause: Pause;
  clock: () => Date;
  toolResultMaxBytes: number;
  onListChanged: OnListChanged;
}): Calls {
  const { delegations, sessions, guards, trail, clock, toolResultMaxBytes: maxBytes } = deps;
  const mcp = createMcpClient({
    client: CLIENT,
    dispatcher: deps.http.dispatcher,
    pause: deps.pause,
    clock,
    maxBytes,
    onListChanged: deps.onListChanged,
    noMemory: hubBusy,
  });
  const { outsideCalls } = trail;
  const send = createSendAsCaller({ delegations, sessions, guards, mcp, outsideCalls });
  const known = createKnownParamHeaders();
  const readList = createReadList({ send, known, maxBytes, clock });
  const listOf = createListOf(readList);
  const callTool = createCallTool({
    send,
    readTools: (caller, connector, options) => listOf(caller, connector, 'tools', options),
    known,
  });
  return { mcp, send, readList, listOf, callTool, known, listTools: createListTools(listOf) };
}
