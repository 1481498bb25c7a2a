import { setTimeout as wait } from 'node:timers/promises';
import type { SecureStore } from '@legate/secure-store';
import { Counter, type Logger, type Metrics } from '@legate/service';
import { createSingleFlight } from '@legate/single-flight';
import { guardDelegate } from '../calls/guarded-legs.ts';
import { createFallback, type Methods } from '../delegation/fallback.ts';
import { createDelegations, type Delegations } from '../delegation/obtain-credential.ts';
import { createSharedFlight } from '../delegation/shared-flight.ts';
import type { UseRecords } from '../delegation/use-record.ts';
import type { Caller } from '../domain/caller.ts';
import type { Delegation, Obtained } from '../domain/delegation.ts';
import { AUTH_METHODS } from '../domain/method-settings.ts';
import type { SignOuts } from '../domain/sign-outs.ts';
import type { ConnectorGuards } from '../resilience/connector-guards.ts';
import type { TokenCache } from '../token-cache/token-cache.ts';

const OUTCOMES = [
  'granted',
  'denied',
  'unsupported',
  'expired',
  'unavailable',
  'misconfigured',
] as const satisfies readonly Delegation['outcome'][];

/** How the hub acts as its callers: the methods, behind cache, single flight and breakers. */
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
