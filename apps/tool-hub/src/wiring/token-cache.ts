import { createTokenCache, type TokenCache } from '@legate/delegation';
import type { SecureStore } from '@legate/secure-store';
import { Counter, type Logger, type Metrics } from '@legate/service';

/** The cache in front of all methods, counted. */
export function createCountedTokenCache(deps: {
  store: SecureStore;
  clock: () => Date;
  log: Logger;
  metrics: Metrics;
}): TokenCache {
  const { store, clock, log } = deps;
  const lookups = new Counter({
    name: 'token_cache_lookups_total',
    help: 'Lookups in the token cache; an entry that cannot be read is an error, and treated as a miss',
    labelNames: ['outcome'],
    registers: [deps.metrics.registry],
  });
  for (const outcome of ['hit', 'miss', 'error']) lookups.inc({ outcome }, 0);
  const hits = lookups.labels({ outcome: 'hit' }); // found once: looking for a label costs more than counting
  return createTokenCache({
    store,
    clock,
    log,
    onLookup: (outcome) => (outcome === 'hit' ? hits.inc() : lookups.inc({ outcome })),
  });
}
