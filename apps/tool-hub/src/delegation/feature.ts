import { setTimeout as wait } from 'node:timers/promises';
import type { SecureStore } from '@legate/secure-store';
import { Counter, type HttpClient, type Logger, type Metrics } from '@legate/service';
import type { Caller } from '../caller/caller.ts';
import { AUTH_METHODS } from '../connectors/method-settings.ts';
import { createToolServerDiscovery } from '../discovery/cached-discovery.ts';
import type { OAuthConnect } from '../oauth-connect/feature.ts';
import type { ConnectorGuards } from '../resilience/connector-guards.ts';
import { guardDelegate } from '../resilience/guarded-legs.ts';
import type { Pause } from '../resilience/pause.ts';
import { withTimeout } from '../resilience/with-timeout.ts';
import type { SignOuts } from '../sessions/sign-outs.ts';
import type { CertificateConnections } from './certificate-connections.ts';
import type { Delegation } from './delegation.ts';
import { createDelegations, type Delegations, type Obtained } from './delegations.ts';
import { createFallback } from './fallback.ts';
import { createIdJagMethod } from './id-jag.ts';
import type { IdJagOrganization } from './id-jag-checks.ts';
import { createIdJagRecord } from './id-jag-record.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { createMeasureLeg } from './legs.ts';
import { createPassthroughMethod } from './passthrough.ts';
import { createServiceMethod } from './service.ts';
import { createSharedFlight } from './shared-flight.ts';
import { createSingleFlight } from './single-flight.ts';
import { createTokenCache, type TokenCache } from './token-cache.ts';
import { createUserPolicy } from './user-policy.ts';

/** The cache in front of all methods, counted. */
export function createCountedTokenCache(deps: {
  store: SecureStore;
  clock: () => Date;
  log: Logger;
  metrics: Metrics;
}): TokenCache {
  const lookups = new Counter({
    name: 'token_cache_lookups_total',
    help: 'Lookups in the token cache; an entry that cannot be read is an error, and treated as a miss',
    labelNames: ['outcome'],
    registers: [deps.metrics.registry],
  });
  for (const outcome of ['hit', 'miss', 'error']) lookups.inc({ outcome }, 0);
  return createTokenCache({ ...deps, onLookup: (outcome) => lookups.inc({ outcome }) });
}

const OUTCOMES = [
  'granted',
  'denied',
  'unsupported',
  'expired',
  'unavailable',
  'misconfigured',
] as const satisfies readonly Delegation['outcome'][];

/** How the hub acts as its callers: the methods, behind cache, single flight and breakers. */
export function createDelegationFeature(deps: {
  cache: TokenCache;
  signOuts: SignOuts;
  rememberSignIn: (caller: Caller) => Promise<void>;
  oauthConnect: Pick<OAuthConnect, 'method'>;
  guards: ConnectorGuards;
  identityProvider: () => Promise<IdentityProvider>;
  idJagOrganization: IdJagOrganization;
  connections: CertificateConnections;
  store: SecureStore;
  http: Pick<HttpClient, 'fetch'>;
  /** For each request of discovery, and for each one at a connector's token endpoint */
  discoveryTimeoutMs: number;
  tokenTimeoutMs: number;
  clock: () => Date;
  pause: Pause;
  log: Logger;
  metrics: Metrics;
}): Delegations {
  const { clock, log } = deps;
  const fetch = withTimeout(deps.http.fetch, deps.tokenTimeoutMs);
  const discover = createToolServerDiscovery({
    fetch: withTimeout(deps.http.fetch, deps.discoveryTimeoutMs),
    clock,
  });
  const methods = {
    'id-jag': createIdJagMethod({
      ...deps,
      discover,
      policy: createUserPolicy(deps),
      fetch,
      measureLeg: createMeasureLeg(deps.metrics),
    }),
    passthrough: createPassthroughMethod({
      onForwarded: ({ organizationId, userId, connectorId, to }) =>
        log.warn(
          {
            action: 'delegation.passthrough',
            organization_id: organizationId,
            user_id: userId,
            connector_id: connectorId,
            to,
          },
          "a user's own token is passed on",
        ),
    }),
    service: createServiceMethod(deps),
    'oauth-pkce': deps.oauthConnect.method,
  };
  const outcomes = new Counter({
    name: 'delegations_total',
    help: 'Delegations that no kept token served, by method and outcome',
    labelNames: ['method', 'outcome'],
    registers: [deps.metrics.registry],
  });
  for (const method of AUTH_METHODS) for (const outcome of OUTCOMES) outcomes.inc({ method, outcome }, 0);
  return createDelegations({
    cache: deps.cache,
    signOuts: deps.signOuts,
    rememberSignIn: deps.rememberSignIn,
    flights: createSingleFlight<Obtained>(),
    shared: createSharedFlight({ store: deps.store, wait }),
    delegate: guardDelegate(createFallback(methods, createIdJagRecord(deps), log), deps.guards),
    outcomes,
    log,
  });
}
