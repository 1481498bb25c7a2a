import type { TrustedIssuer } from '@legate/jwt';
import type { SecureStore } from '@legate/secure-store';
import type { Logger, Metrics } from '@legate/service';
import type { NoteDeed } from '../audit/user-event.ts';
import type { VerifyIdToken } from '../caller/verify-id-token.ts';
import type { ConnectorClientAuth } from '../connectors/method-settings.ts';
import type { IdentityProvider } from '../delegation/identity-provider.ts';
import { withTimeout } from '../resilience/with-timeout.ts';
import type { Endings } from './endings.ts';
import { createSessionNotes } from './note-end.ts';
import { createRefreshTokens } from './refresh.ts';
import { createRenewals } from './renewal.ts';
import { createSessions, type Sessions } from './service.ts';
import { createSessionSlots } from './slots.ts';
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
  /** In one organization; with another one the first ends. */
  readonly maxPerUser: number;
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
    /** The same as that of `store` */
    secureStore: SecureStore;
    noteDeed: NoteDeed;
    clock: () => Date;
    log: Logger;
    metrics: Metrics;
  },
): Sessions {
  const refreshTokens = createRefreshTokens({ ...deps, fetch: withTimeout(deps.fetch, REFRESH_TIMEOUT_MS) });
  const notes = createSessionNotes({
    log: deps.log,
    metrics: deps.metrics.registry,
    noteDeed: deps.noteDeed,
  });
  const renew = createRenewals({ ...deps, ...notes, refreshTokens });
  const slots = createSessionSlots({ ...deps, store: deps.secureStore });
  const acceptedClients = deps.acceptedAudiences;
  return createSessions({ ...deps, slots, refreshTokens, renew, acceptedClients, notes });
}
