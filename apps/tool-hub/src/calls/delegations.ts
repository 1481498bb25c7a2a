import { setTimeout as wait } from 'node:timers/promises';
import {
  AUTH_METHODS,
  createDelegations,
  createFallback,
  createSharedFlight,
  createTokenCache,
  type Delegation,
  type Delegations,
  type Methods,
  type Obtained,
  type TokenCache,
  type UseRecords,
} from '@legate/delegation';
import { Counter } from '@legate/service';
import { createSingleFlight } from '@legate/single-flight';
import type { Platform } from '../platform/platform.ts';
import type { ConnectorGuards } from '../resilience/connector-guards.ts';
import { guardDelegate } from '../resilience/guard-delegate.ts';
import type { SignIn } from '../sign-in/open.ts';

const OUTCOMES = [
  'granted',
  'denied',
  'unsupported',
  'expired',
  'unavailable',
  'misconfigured',
] as const satisfies readonly Delegation['outcome'][];

/** Obtains credentials for callers, with cache, single flight and circuit breakers. */
export function createGuardedDelegations(
  { backend, log, metrics }: Platform,
  parts: {
    methods: Methods;
    records: UseRecords;
    guards: ConnectorGuards;
    cache: TokenCache;
    signIn: Pick<SignIn, 'signOuts' | 'rememberSignIn'>;
    provesActors: boolean;
  },
): Delegations {
  const { methods, records, guards, cache, signIn, provesActors } = parts;
  const outcomes = new Counter({
    name: 'delegations_total',
    help: 'Delegations for which the cache had no usable token, by method and outcome',
    labelNames: ['method', 'outcome'],
    registers: [metrics.registry],
  });
  for (const { name: method } of AUTH_METHODS)
    for (const outcome of OUTCOMES) outcomes.inc({ method, outcome }, 0);
  return createDelegations({
    cache,
    signOuts: signIn.signOuts,
    rememberSignIn: signIn.rememberSignIn,
    flights: createSingleFlight<Obtained>(),
    shared: createSharedFlight({ backend, wait }),
    delegate: guardDelegate(createFallback(methods, records, log), guards),
    outcomes,
    provesActors,
    log,
  });
}

/** Creates the token cache that all methods use, and counts its lookups. */
export function createCountedTokenCache({ store, clock, log, metrics }: Platform): TokenCache {
  const lookups = new Counter({
    name: 'token_cache_lookups_total',
    help: 'Lookups in the token cache, by result; an entry that cannot be read counts as error and is treated as a miss',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  for (const outcome of ['hit', 'miss', 'error']) lookups.inc({ outcome }, 0);
  const hits = lookups.labels({ outcome: 'hit' }); // looked up once: a lookup costs more than counting
  return createTokenCache({
    store,
    clock,
    log,
    onLookup: (outcome) => (outcome === 'hit' ? hits.inc() : lookups.inc({ outcome })),
  });
}
