import type { Delegations } from '@legate/delegation';
import {
  createKnownParamHeaders,
  createMcpClient,
  createMcpListen,
  type OnListChanged,
} from '@legate/mcp-client';
import { userAgentOf, VERSION } from '@legate/service';
import { createCallTool, createSendAsCaller } from '../calls/call-tool.ts';
import { createListOf, createReadList } from '../calls/list-pages.ts';
import { createListTools } from '../calls/list-tools.ts';
import { createListenAsCaller } from '../calls/listen-as-caller.ts';
import { endsOfToolSession } from '../domain/tool-session.ts';
import { hubBusy } from '../refusals/limit-problems.ts';
import type { ConnectorGuards } from '../resilience/connector-guards.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { SignIn } from './sign-in.ts';

/** How the hub describes itself to tool servers. */
const clientOf = (publicUrl: string) => ({
  name: 'legate-tool-hub',
  version: VERSION,
  userAgent: userAgentOf(publicUrl),
  extensions: { 'io.modelcontextprotocol/enterprise-managed-authorization': {} },
});

/** Access to tool servers, for `/api/v1` and `/mcp`. `mcp` has no breakers: to examine a broken tool server */
export function createCalls(
  {
    http,
    pause,
    clock,
    publicUrl,
    toolResultMaxBytes: maxBytes,
    trail,
    noteListed: onListed = () => undefined,
  }: AppDependencies,
  parts: {
    delegations: Delegations;
    signIn: Pick<SignIn, 'sessions' | 'stepUps'>;
    guards: ConnectorGuards;
    onListChanged: OnListChanged;
  },
) {
  const { delegations, signIn, guards, onListChanged } = parts;
  const { dispatcher } = http;
  const client = clientOf(publicUrl);
  const mcp = createMcpClient({
    client,
    dispatcher,
    pause,
    clock,
    maxBytes,
    onListChanged,
    noMemory: hubBusy,
    sessionNames: endsOfToolSession,
  });
  const { outsideCalls } = trail;
  const parties = { delegations, signIn, guards, outsideCalls };
  const send = createSendAsCaller({ ...parties, mcp });
  const listen = createListenAsCaller({
    ...parties,
    listen: createMcpListen({ client, dispatcher, onListChanged }),
  });
  const known = createKnownParamHeaders();
  const readList = createReadList({ send, known, maxBytes, onListed, clock });
  const listOf = createListOf(readList);
  const callTool = createCallTool({
    send,
    readTools: (caller, connector, options) => listOf(caller, connector, 'tools', options),
    known,
  });
  return { mcp, send, listen, readList, listOf, callTool, known, listTools: createListTools(listOf) };
}
