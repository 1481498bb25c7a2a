import { createUseRecords, type Delegations, type TokenCache, type UseRecords } from '@legate/delegation';
import { createSlots } from '@legate/rate-limit';
import { createNoteDeed, type NoteDeed } from '../audit/user-event.ts';
import { type ConnectorAccess, createConnectorAccess } from '../connectors/access.ts';
import { createListMemory, type ListMemory } from '../faces/mcp/list-memory.ts';
import { type Admit, createAdmit } from '../limits/fair-use.ts';
import { createConnectorGuards } from '../resilience/connector-guards.ts';
import type { AppDependencies, ConnectOptions } from './app-dependencies.ts';
import { createMethods } from './auth-methods.ts';
import { type Calls, createCalls } from './calls.ts';
import { createUserConnections, type UserConnections } from './connections.ts';
import { createGuardedDelegations } from './delegation.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createCountedTokenCache } from './token-cache.ts';

const DEFAULT_CONNECT_OPTIONS: ConnectOptions = { returnTo: [], ttlSeconds: 90 * 86_400 };

/** What the faces of a hub share. */
export interface Core {
  readonly access: ConnectorAccess;
  readonly admit: Admit;
  readonly cache: TokenCache;
  readonly calls: Calls;
  readonly connecting: UserConnections & ConnectOptions;
  readonly delegations: Delegations;
  readonly listMemory: ListMemory;
  readonly noteDeed: NoteDeed;
  readonly records: UseRecords;
  readonly signIn: SignIn;
}

export function createCore(deps: AppDependencies): Core {
  const { registry, store, trail, http, clock, pause, log, metrics } = deps;
  const { discoveryTimeoutMs, tokenTimeoutMs, storeCommandTimeoutMs } = deps;
  const cache = createCountedTokenCache({ store, clock, log, metrics });
  const noteDeed = createNoteDeed({ trail, clock });
  const records = createUseRecords({ store });
  const guards = createConnectorGuards({ limits: deps.guardLimits, clock, metrics: metrics.registry, log });
  const signIn = createSignIn(deps, noteDeed);
  const options = deps.oauthConnect ?? DEFAULT_CONNECT_OPTIONS;
  const connections = createUserConnections({
    publicUrl: deps.publicUrl,
    ttlSeconds: options.ttlSeconds,
    store,
    fetch: http.fetch,
    tokenTimeoutMs,
    storeCommandTimeoutMs,
    clock,
    pause,
    log,
  });
  const methods = createMethods({
    oauthPkce: connections.method,
    identityProvider: deps.identityProvider,
    idJagOrganization: deps.idJagOrganization,
    certificates: deps.connections,
    http,
    discoveryTimeoutMs,
    tokenTimeoutMs,
    clock,
    pause,
    log,
    metrics,
  });
  const delegations = createGuardedDelegations({
    methods,
    records,
    guards,
    cache,
    signOuts: signIn.signOuts,
    rememberSignIn: signIn.rememberSignIn,
    store,
    log,
    metrics,
  });
  const listMemory = createListMemory({ clock, metrics: metrics.registry });
  deps.sessions.endings.onEnd(listMemory.end);
  const calls = createCalls({
    delegations,
    sessions: signIn.sessions,
    guards,
    trail,
    http,
    pause,
    clock,
    toolResultMaxBytes: deps.toolResultMaxBytes,
    onListChanged: listMemory.change,
  });
  return {
    access: createConnectorAccess({ registry, requireAgent: deps.requireAgent }),
    admit: createAdmission(deps),
    cache,
    calls,
    connecting: { ...connections, ...options },
    delegations,
    listMemory,
    noteDeed,
    records,
    signIn,
  };
}

const createAdmission = ({ planLimiter, registry, fairUse, metrics }: AppDependencies): Admit =>
  createAdmit({
    limiter: planLimiter,
    slots: createSlots(),
    registry,
    limits: fairUse,
    metrics: metrics.registry,
  });
