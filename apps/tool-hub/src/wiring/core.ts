import { createUseRecords } from '@legate/delegation';
import { createSlots } from '@legate/rate-limit';
import { createNoteDeed } from '../audit/user-event.ts';
import { createConnectorAccess } from '../connectors/access.ts';
import { createListMemory } from '../faces/mcp/list-memory.ts';
import { createAdmit } from '../limits/fair-use.ts';
import { createConnectorGuards } from '../resilience/connector-guards.ts';
import type { AppDependencies, ConnectOptions } from './app-dependencies.ts';
import { createMethods, createUserConnections } from './auth-methods.ts';
import { createCalls } from './calls.ts';
import { createCountedTokenCache, createGuardedDelegations } from './delegation.ts';
import { createSignIn } from './sign-in.ts';

const DEFAULT_CONNECT_OPTIONS: ConnectOptions = { returnTo: [], ttlSeconds: 90 * 86_400 };

/** What the faces of a hub share. */
export type Core = ReturnType<typeof createCore>;

export function createCore(deps: AppDependencies) {
  const { registry, store, trail, clock, log, requireAgent } = deps;
  const { registry: metrics } = deps.metrics;
  const cache = createCountedTokenCache(deps);
  const noteDeed = createNoteDeed({ trail, clock });
  const records = createUseRecords({ store });
  const guards = createConnectorGuards({ limits: deps.guardLimits, clock, metrics, log });
  const signIn = createSignIn(deps, noteDeed);
  const connectOptions = deps.oauthConnect ?? DEFAULT_CONNECT_OPTIONS;
  const connections = createUserConnections(deps, connectOptions);
  const methods = createMethods(deps, connections.method);
  const delegations = createGuardedDelegations(deps, { methods, records, guards, cache, signIn });
  const listMemory = createListMemory({ clock, metrics });
  deps.sessions.endings.onEnd(listMemory.end);
  deps.sessions.endings.onEnd(deps.streams.onEnded);
  const calls = createCalls(deps, { delegations, signIn, guards, onListChanged: listMemory.change });
  deps.sessions.endings.onCancelled(calls.mcp.endSessions);
  deps.onStop?.(calls.mcp.close);
  const access = createConnectorAccess({
    registry,
    policyOf: ({ agentPolicy }) => (requireAgent && agentPolicy === 'any' ? 'named' : agentPolicy),
  });
  // Connections and examinations are the user's own affairs, whichever agent is about.
  const accessForUsers = createConnectorAccess({ registry, policyOf: () => 'any' });
  const { planLimiter: limiter, fairUse: limits } = deps;
  const admit = createAdmit({
    limiter,
    slots: createSlots(),
    streamSlots: createSlots(),
    registry,
    limits,
    metrics,
  });
  return {
    access,
    accessForUsers,
    admit,
    cache,
    calls,
    connections,
    connectOptions,
    delegations,
    listMemory,
    noteDeed,
    records,
    signIn,
  };
}
