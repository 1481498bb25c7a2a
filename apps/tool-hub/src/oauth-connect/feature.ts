import type { RateLimiter } from '@legate/rate-limit';
import type { SecureStore } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { Router } from 'express';
import type { NoteDeed } from '../audit/user-event.ts';
import type { ConnectorAccess } from '../connectors/access.ts';
import type { OAuthPkceSettings } from '../connectors/method-settings.ts';
import type { DelegationMethod } from '../delegation/delegation.ts';
import type { IdentityProvider } from '../delegation/identity-provider.ts';
import { createOAuthPkceMethod } from '../delegation/oauth-pkce.ts';
import type { RevokedTokens, TokenCache } from '../delegation/token-cache.ts';
import { createUserAuthorizationDiscovery } from '../discovery/cached-discovery.ts';
import { discoverUserAuthorization } from '../discovery/discover-user-authorization.ts';
import type { Pause } from '../resilience/pause.ts';
import { withTimeout } from '../resilience/with-timeout.ts';
import { createBrowserCookie } from './browser-cookie.ts';
import { browserRoutes } from './browser-routes.ts';
import { clientDocumentRoutes } from './client-document.ts';
import { createConnectedAccounts } from './connected.ts';
import { createConnecting } from './connecting.ts';
import { createConnections } from './connections.ts';
import { createConsentClients } from './consent-client.ts';
import { createFreshConnection } from './refresh.ts';
import { connectionRoutes } from './routes.ts';
import { createUserSignIn } from './user-sign-in.ts';

export interface OAuthConnectOptions {
  /** Pages of applications that a user may be sent back to, compared as strings */
  readonly returnTo: readonly string[];
  /** The longest that a connection lives without the user being asked again */
  readonly ttlSeconds: number;
}

export const DEFAULT_CONNECT_OPTIONS: OAuthConnectOptions = { returnTo: [], ttlSeconds: 90 * 86_400 };

/** After which it is looked again whether another process has refreshed a connection, at the earliest */
const LOOK_AGAIN_MS = 100;
/** The claim of a refresh is answered; then the connection is read, and written. */
const STORE_COMMANDS = 3;
/** For what else is to be done around a refresh, by a process that is busy */
const BUSY_MS = 1250;
const MIN_STORE_MS = 2000;

/** Accounts that users connect themselves: the method, the routes for applications and browsers, and how it all ends. */
export interface OAuthConnect {
  readonly method: DelegationMethod<OAuthPkceSettings>;
  /** Below `/api/v1`, behind the user's ID token */
  readonly apiRoutes: Router;
  /** Below `/oauth`: for browsers, and for authorization servers that read who the hub is */
  readonly publicRoutes: Router;
  /** @throws {Error} when the store cannot be reached */
  revoke(revoked: RevokedTokens): Promise<void>;
}

export function createOAuthConnect(deps: {
  options: OAuthConnectOptions;
  publicUrl: string;
  identityProvider: () => Promise<IdentityProvider>;
  access: ConnectorAccess;
  cache: Pick<TokenCache, 'revoke'>;
  store: SecureStore;
  limiter: RateLimiter;
  noteDeed: NoteDeed;
  fetch: typeof globalThis.fetch;
  /** For one request at a token endpoint */
  tokenTimeoutMs: number;
  /** After which a command of the store has failed */
  storeCommandTimeoutMs: number;
  clock: () => Date;
  pause: Pause;
  log: Logger;
}): OAuthConnect {
  const { publicUrl, access, fetch, log } = deps;
  const { ttlSeconds, returnTo } = deps.options;
  const connections = createConnections({ ...deps, ttlSeconds });
  const clientOf = createConsentClients(publicUrl);
  const discover = createUserAuthorizationDiscovery(deps);
  const userSignIn = createUserSignIn({ ...deps, redirectUri: `${publicUrl}/oauth/callback` });
  const connecting = createConnecting({ ...deps, connections, discover, clientOf, userSignIn, ttlSeconds });
  const accounts = createConnectedAccounts({ ...deps, connections, discover, clientOf });
  const storeMs = Math.max(MIN_STORE_MS, STORE_COMMANDS * deps.storeCommandTimeoutMs + BUSY_MS);
  const fresh = createFreshConnection({
    ...deps,
    fetch: withTimeout(fetch, deps.tokenTimeoutMs),
    connections,
    discover: (where) => discoverUserAuthorization(where, fetch),
    clientOf,
    pause: () => deps.pause(LOOK_AGAIN_MS / 1000),
    maxPauses: Math.ceil((deps.tokenTimeoutMs + storeMs) / LOOK_AGAIN_MS),
  });
  const cookie = createBrowserCookie({ secure: publicUrl.startsWith('https:') });
  return {
    method: createOAuthPkceMethod({ connections, fresh, discover, clientOf }),
    apiRoutes: connectionRoutes({ access, connecting, accounts, limiter: deps.limiter, returnTo }),
    publicRoutes: Router().use(
      clientDocumentRoutes({ publicUrl }),
      browserRoutes({ connecting, cookie, log }),
    ),
    revoke: connections.revoke,
  };
}
