import { setTimeout } from 'node:timers/promises';
import type { ConnectorClientAuth, IdentityProvider } from '@legate/delegation';
import type { SecureStore } from '@legate/secure-store';
import type { Logger, Metrics } from '@legate/service';
import type { NoteDeed } from '../audit/user-event.ts';
import { withTimeout } from '../resilience/with-timeout.ts';
import type { Endings } from '../sign-in/endings.ts';
import type { LogoutTokenMemory } from '../sign-in/logout-token-memory.ts';
import { createSessionNotes } from '../sign-in/note-end.ts';
import { createRefreshTokens } from '../sign-in/refresh-tokens.ts';
import { createRenewals } from '../sign-in/renewal.ts';
import { createSessionSlots } from '../sign-in/session-slots.ts';
import type { SessionStore } from '../sign-in/session-store.ts';
import { createSessions, type Sessions } from '../sign-in/sessions.ts';
import type { VerifyIdToken } from '../sign-in/verify-id-token.ts';

export interface SessionsOptions {
  readonly store: SessionStore & LogoutTokenMemory;
  readonly endings: Endings;
  /** Tells the other replicas what has ended. */
  readonly announce: (name: string) => Promise<void>;
  /** The hub's own at the identity provider, whose refresh tokens it may redeem too */
  readonly hubClient: { readonly clientId: string; readonly clientAuth: ConnectorClientAuth };
  /** For a renewable session */
  readonly lifetimeSeconds: number;
  /** Per organization; one more ends the oldest. */
  readonly maxPerUser: number;
}

/** Shorter than the time after which other replicas give up waiting (renewal.ts) */
const REFRESH_TIMEOUT_MS = 10_000;

/** Sessions and what they need of the identity provider. */
export function createSessionsWith(deps: {
  options: SessionsOptions;
  /** Clients whose refresh tokens are taken */
  acceptedClients: readonly string[];
  identityProvider: () => Promise<IdentityProvider>;
  verifyIdToken: VerifyIdToken;
  fetch: typeof globalThis.fetch;
  /** The same as that of `options.store` */
  secureStore: SecureStore;
  noteDeed: NoteDeed;
  clock: () => Date;
  log: Logger;
  metrics: Metrics;
}): Sessions {
  const { acceptedClients, identityProvider, verifyIdToken, noteDeed, clock, log } = deps;
  const { store, endings, announce, hubClient, lifetimeSeconds, maxPerUser } = deps.options;
  const fetch = withTimeout(deps.fetch, REFRESH_TIMEOUT_MS);
  const refreshTokens = createRefreshTokens({ identityProvider, hubClient, fetch, clock });
  const notes = createSessionNotes({ log, metrics: deps.metrics.registry, noteDeed });
  const { noteEnd } = notes;
  return createSessions({
    store,
    slots: createSessionSlots({ store: deps.secureStore, maxPerUser, clock }),
    endings,
    announce,
    refreshTokens,
    renew: createRenewals({ store, refreshTokens, verifyIdToken, clock, log, noteEnd, pause: setTimeout }),
    verifyIdToken,
    acceptedClients,
    lifetimeSeconds,
    clock,
    log,
    notes,
  });
}
