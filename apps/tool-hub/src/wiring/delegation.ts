import { setTimeout as wait } from 'node:timers/promises';
import {
  AUTH_METHODS,
  type Caller,
  createDelegations,
  createFallback,
  createSharedFlight,
  type Delegation,
  type Delegations,
  type Methods,
  type Obtained,
  type SignOuts,
  type TokenCache,
  type UseRecords,
} from '@legate/delegation';
import type { SecureStore } from '@legate/secure-store';
import { Counter, type Logger, type Metrics } from '@legate/service';
import { createSingleFlight } from '@legate/single-flight';
import type { ConnectorGuards } from '../resilience/connector-guards.ts';
import { guardDelegate } from '../resilience/guard-delegate.ts';

const OUTCOMES = [
  'granted',
  'denied',
  'unsupported',
  'expired',
  'unavailable',
  'misconfigured',
] as const satisfies readonly Delegation['outcome'][];

/** Obtains credentials for callers: the methods, with cache, single flight and breakers. */
export function createGuardedDelegations(deps: {
  methods: Methods;
  records: UseRecords;
  guards: ConnectorGuards;
  cache: TokenCache;
  signOuts: SignOuts;
  rememberSignIn: (caller: Caller) => Promise<void>;
  store: SecureStore;
  log: Logger;
  metrics: Metrics;
}): Delegations {
  const { cache, signOuts, rememberSignIn, log } = deps;
  const outcomes = new Counter({
    name: 'delegations_total',
    help: 'Delegations that no kept token served, by method and outcome',
    labelNames: ['method', 'outcome'],
    registers: [deps.metrics.registry],
  });
  for (const method of AUTH_METHODS) for (const outcome of OUTCOMES) outcomes.inc({ method, outcome }, 0);
  return createDelegations({
    cache,
    signOuts,
    rememberSignIn,
    flights: createSingleFlight<Obtained>(),
    shared: createSharedFlight({ store: deps.store, wait }),
    delegate: guardDelegate(createFallback(deps.methods, deps.records, log), deps.guards),
    outcomes,
    log,
  });
}
