import {
  type Connections,
  type ConsentClientOf,
  createConnections,
  createConsentClients,
  createFreshConnection,
  createOAuthPkceMethod,
  createUserAuthorizationDiscovery,
  type DelegationMethod,
  type DiscoverUserAuthorization,
  discoverUserAuthorization,
  type OAuthPkceSettings,
  type Pause,
} from '@legate/delegation';
import type { SecureStore } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { clientDocumentUrl } from '../domain/client-urls.ts';
import { withTimeout } from '../resilience/with-timeout.ts';

/** Minimum interval of checks whether another process has refreshed a connection */
const LOOK_AGAIN_MS = 100;
/** The claim of a refresh is answered; then the connection is read, and written. */
const STORE_COMMANDS = 3;
/** Allowance for other work around a refresh, in a busy process */
const BUSY_MS = 1250;
const MIN_STORE_MS = 2000;

/** Accounts that users have connected, and how the hub acts by them. */
export interface UserConnections {
  readonly connections: Connections;
  readonly clientOf: ConsentClientOf;
  readonly discover: DiscoverUserAuthorization;
  readonly method: DelegationMethod<OAuthPkceSettings>;
}

export function createUserConnections(deps: {
  publicUrl: string;
  /** The longest that a connection lives without the user being asked again */
  ttlSeconds: number;
  store: SecureStore;
  fetch: typeof globalThis.fetch;
  /** For one request at a token endpoint */
  tokenTimeoutMs: number;
  /** Time-out of a store command */
  storeCommandTimeoutMs: number;
  clock: () => Date;
  pause: Pause;
  log: Logger;
}): UserConnections {
  const { store, ttlSeconds, fetch, tokenTimeoutMs, clock, log } = deps;
  const connections = createConnections({ store, ttlSeconds, clock, log });
  const clientOf = createConsentClients((id) => clientDocumentUrl(deps.publicUrl, id));
  const discover = createUserAuthorizationDiscovery({ fetch, clock });
  const storeMs = Math.max(MIN_STORE_MS, STORE_COMMANDS * deps.storeCommandTimeoutMs + BUSY_MS);
  const fresh = createFreshConnection({
    connections,
    discover: (where) => discoverUserAuthorization(where, fetch),
    clientOf,
    fetch: withTimeout(fetch, tokenTimeoutMs),
    clock,
    pause: () => deps.pause(LOOK_AGAIN_MS / 1000),
    maxPauses: Math.ceil((tokenTimeoutMs + storeMs) / LOOK_AGAIN_MS),
    log,
  });
  const method = createOAuthPkceMethod({ connections, fresh, discover, clientOf });
  return { connections, clientOf, discover, method };
}
