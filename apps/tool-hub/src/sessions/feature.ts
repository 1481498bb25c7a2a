import type { TrustedIssuer } from '@legate/jwt';
import type { Logger } from '@legate/service';
import type { VerifyIdToken } from '../caller/verify-id-token.ts';
import type { ConnectorClientAuth } from '../connectors/method-settings.ts';
import type { IdentityProvider } from '../delegation/identity-provider.ts';
import { withTimeout } from '../resilience/with-timeout.ts';
import type { Endings } from './endings.ts';
import { createRefreshTokens } from './refresh.ts';
import { createRenewals } from './renewal.ts';
import { createSessions, type Sessions } from './service.ts';
import type { LogoutTokenMemory, SessionStore } from './store.ts';

export interface SessionsOptions {
  readonly store: SessionStore & LogoutTokenMemory;
  readonly endings: Endings;
  /** Tells the other replicas what has ended. */
  readonly announce: (name: string) => Promise<void>;
  /** The hub's own at the identity provider, whose refresh tokens it may redeem too */
  readonly hubClient: { readonly clientId: string; readonly clientAuth: ConnectorClientAuth };
  /** Of a session that is renewed */
  readonly lifetimeSeconds: number;
}

/** Below the time after which the other replicas give up an answer (renewal.ts) */
const REFRESH_TIMEOUT_MS = 10_000;

/** Sessions and what they need of the identity provider. */
export function createSessionsFeature(
  deps: SessionsOptions & {
    issuer: TrustedIssuer;
    acceptedAudiences: readonly string[];
    identityProvider: () => Promise<IdentityProvider>;
    verifyIdToken: VerifyIdToken;
    fetch: typeof globalThis.fetch;
    clock: () => Date;
    log: Logger;
  },
): Sessions {
  const refreshTokens = createRefreshTokens({ ...deps, fetch: withTimeout(deps.fetch, REFRESH_TIMEOUT_MS) });
  const renew = createRenewals({ ...deps, refreshTokens });
  return createSessions({ ...deps, refreshTokens, renew, acceptedClients: deps.acceptedAudiences });
}
