import { createUseRecords, type Delegations } from '@legate/delegation';
import type { SigningKeys } from '@legate/jwt';
import {
  createKnownParamHeaders,
  createMcpClient,
  createMcpListen,
  type OnListChanged,
} from '@legate/mcp-client';
import { userAgentOf, VERSION } from '@legate/service';
import type { CallTrail } from '../audit/call-trail.ts';
import type { NoteListed } from '../connectors/listed-tools.ts';
import { endsOfToolSession } from '../domain/connector.ts';
import type { Platform } from '../platform/platform.ts';
import { hubBusy } from '../refusals/limit-problems.ts';
import { type ConnectorGuards, createConnectorGuards } from '../resilience/connector-guards.ts';
import type { IdentityProviderPart } from '../sign-in/identity-provider.ts';
import type { SignIn } from '../sign-in/open.ts';
import { createUserAccounts, openMethods } from './auth-methods.ts';
import { createCallTool, createSendAsCaller } from './call-tool.ts';
import { createCountedTokenCache, createGuardedDelegations } from './delegations.ts';
import { createListOf, createReadList } from './list-pages.ts';
import { createListTools } from './list-tools.ts';
import { createListenAsCaller } from './listen-as-caller.ts';
import type { CallLimits } from './settings.ts';

/** Returns the client information that the hub sends to tool servers. */
const clientOf = (publicUrl: string) => ({
  name: 'legate-tool-hub',
  version: VERSION,
  userAgent: userAgentOf(publicUrl),
  extensions: { 'io.modelcontextprotocol/enterprise-managed-authorization': {} },
});

/** Runs calls, for `/api/v1` and `/mcp`. */
export type Calls = ReturnType<typeof openCalls>;

/** The parts of other features that calls need */
interface CallParts {
  readonly limits: CallLimits;
  readonly identityProvider: IdentityProviderPart;
  readonly actorKeys: SigningKeys | undefined;
  readonly signIn: Pick<SignIn, 'sessions' | 'stepUps' | 'signOuts' | 'rememberSignIn'>;
  readonly trail: Pick<CallTrail, 'outsideCalls'>;
  /** Maximum lifetime of a connection, after which the user must consent again */
  readonly connectionSeconds: number;
  /** Called with the names of the tools that connectors list */
  readonly onListed: NoteListed;
  readonly onListChanged: OnListChanged;
}

/** Opens what obtains the credentials of calls, and the clients of tool servers. */
export function openCalls(platform: Platform, parts: CallParts) {
  const { store, clock, log, metrics } = platform;
  const { limits, identityProvider, actorKeys, signIn } = parts;
  const guards = createConnectorGuards({
    limits: limits.guardLimits,
    clock,
    metrics: metrics.registry,
    log,
  });
  const cache = createCountedTokenCache(platform);
  const records = createUseRecords({ store });
  const accounts = createUserAccounts(platform, { ttlSeconds: parts.connectionSeconds, limits });
  const methods = openMethods(platform, { identityProvider, actorKeys, accounts });
  const delegations = createGuardedDelegations(platform, {
    ...{ methods, records, guards, cache, signIn },
    provesActors: actorKeys !== undefined,
  });
  const toolServers = openToolServers(platform, parts, { delegations, guards });
  return { ...toolServers, cache, records, accounts, methods, delegations };
}

/**
 * Creates clients for tool servers. `mcp` has no circuit breakers, so that the doctor can examine a broken tool server.
 */
function openToolServers(
  { publicUrl, http, pause, clock }: Platform,
  parts: CallParts,
  credentials: { delegations: Delegations; guards: ConnectorGuards },
) {
  const { signIn, trail, onListed, onListChanged } = parts;
  const { toolResultMaxBytes: maxBytes } = parts.limits;
  const { delegations, guards } = credentials;
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
