import {
  createConnections,
  createConsentClients,
  createFreshConnection,
  createMethods,
  createProveActor,
  createResourceDiscovery,
  createToolServerDiscovery,
  createUserAuthorizationDiscovery,
  createUserPolicy,
  discoverUserAuthorization,
  type MeasureLeg,
  type Methods,
  type UserAccounts,
} from '@legate/delegation';
import type { SigningKeys } from '@legate/jwt';
import { Counter, Histogram, inSpan, type Metrics } from '@legate/service';
import { clientDocumentUrl } from '../domain/client-urls.ts';
import type { Platform } from '../platform/platform.ts';
import type { IdentityProviderPart } from '../sign-in/identity-provider.ts';
import type { CallLimits } from './settings.ts';

/** Minimum milliseconds between checks whether another process has refreshed a connection */
const LOOK_AGAIN_MS = 100;
/** Number of store commands in a refresh: it claims the refresh, reads the connection, and writes it. */
const STORE_COMMANDS = 3;
/** Milliseconds for other work during a refresh, in a busy process */
const BUSY_MS = 1250;
const MIN_STORE_MS = 2000;

/** Creates what manages the accounts that users have connected, and uses their tokens. */
export function createUserAccounts(
  platform: Platform,
  options: { ttlSeconds: number; limits: Pick<CallLimits, 'tokenTimeoutMs' | 'storeCommandTimeoutMs'> },
): UserAccounts {
  const { publicUrl, store, clock, log } = platform;
  const { ttlSeconds } = options;
  const { tokenTimeoutMs, storeCommandTimeoutMs } = options.limits;
  const { fetch } = platform.http;
  const connections = createConnections({ store, ttlSeconds, clock, log });
  const clientOf = createConsentClients((id) => clientDocumentUrl(publicUrl, id));
  const discover = createUserAuthorizationDiscovery({ fetch, clock });
  const storeMs = Math.max(MIN_STORE_MS, STORE_COMMANDS * storeCommandTimeoutMs + BUSY_MS);
  const fresh = createFreshConnection({
    connections,
    discover: (where) => discoverUserAuthorization(where, fetch),
    clientOf,
    fetch,
    clock,
    pause: () => platform.pause(LOOK_AGAIN_MS / 1000),
    maxPauses: Math.ceil((tokenTimeoutMs + storeMs) / LOOK_AGAIN_MS),
    log,
  });
  return { connections, fresh, discover, clientOf };
}

/** Creates the auth methods of connectors. */
export function openMethods(
  platform: Platform,
  parts: {
    identityProvider: IdentityProviderPart;
    /** Keys that sign actor tokens; undefined: the identity provider is not told which agent acts. */
    actorKeys: SigningKeys | undefined;
    accounts: UserAccounts;
  },
): Methods {
  const { publicUrl: issuer, http, clock, pause, log, metrics } = platform;
  const { actorKeys: signingKeys, accounts } = parts;
  const { exchange, issuesIdJags, identityProvider, idJagOrganization, organizationRule } =
    parts.identityProvider;
  const { clientId } = parts.identityProvider.hubClient;
  const proveActor = signingKeys && createProveActor({ issuer, clientId, signingKeys, clock });
  const ignored = new Counter({
    name: 'actor_tokens_ignored_total',
    help: 'ID-JAGs that do not name the agent although the hub sent an actor token',
    registers: [metrics.registry],
  });
  const discovery = { fetch: http.fetch, clock };
  return createMethods({
    identityProvider,
    idJagOrganization,
    organizationRule,
    proveActor,
    onActorIgnored: () => ignored.inc(),
    issuesIdJags,
    discover: createToolServerDiscovery(discovery),
    exchange,
    discoverResource: createResourceDiscovery(discovery),
    policy: createUserPolicy({ identityProvider, proveActor, clock }),
    fetch: http.fetch,
    clock,
    pause,
    measureLeg: createMeasureLeg(metrics),
    accounts,
    onForwarded({ organizationId: organization_id, userId: user_id, connectorId: connector_id, to }) {
      const about = { organization_id, user_id, connector_id, to };
      log.warn({ action: 'delegation.passthrough', ...about }, "a user's own token is passed on");
    },
    certificateConnections: platform.connections,
  });
}

function createMeasureLeg(metrics: Metrics): MeasureLeg {
  const durations = new Histogram({
    name: 'delegation_leg_duration_seconds',
    help: 'Duration of the requests of a new delegation, in seconds, by leg and outcome',
    labelNames: ['leg', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics.registry],
  });
  return (leg, work) =>
    inSpan(leg, 'internal', {}, async (span) => {
      const startedAt = performance.now();
      const result = await work();
      const { outcome } = result;
      durations.observe({ leg, outcome }, (performance.now() - startedAt) / 1000);
      span?.set({ 'legate.outcome': outcome });
      return result;
    });
}
