import { setTimeout } from 'node:timers/promises';
import { epochSeconds } from '@legate/jwt';
import type { NoteDeed } from '../audit/user-event.ts';
import { createIsOfAnotherAgent } from '../connectors/access.ts';
import { PENDING_SECONDS } from '../faces/authorization/terms.ts';
import { resourceOf } from '../faces/mcp/metadata.ts';
import { withTimeout } from '../resilience/with-timeout.ts';
import { createClientSessionsOf } from '../sign-in/client-sessions.ts';
import { createClientTokens } from '../sign-in/client-tokens.ts';
import { createExchangeTokens } from '../sign-in/exchange-token.ts';
import { createRememberSignIn } from '../sign-in/logout-token-memory.ts';
import { createSessionNotes } from '../sign-in/note-end.ts';
import { createNoteTokenRefusals } from '../sign-in/note-token-refusals.ts';
import { createRefreshTokens } from '../sign-in/refresh-tokens.ts';
import { createRenewals } from '../sign-in/renewal.ts';
import { createSessionSlots } from '../sign-in/session-slots.ts';
import { createSessions } from '../sign-in/sessions.ts';
import { createSignOuts } from '../sign-in/sign-outs.ts';
import { createStepUps } from '../sign-in/step-ups.ts';
import { createUserSessionsOf } from '../sign-in/user-sessions.ts';
import { createCallerVerifier } from '../sign-in/verify-caller.ts';
import { createIdTokenVerifier } from '../sign-in/verify-id-token.ts';
import type { AppDependencies } from './app-dependencies.ts';

/** Shorter than the time after which other replicas give up waiting (renewal.ts) */
const REFRESH_TIMEOUT_MS = 10_000;

/** Authenticates callers, and ends their access. */
export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn(deps: AppDependencies, noteDeed: NoteDeed) {
  const { acceptedAudiences, identityProvider, clock, log } = deps;
  const { store, endings, announce, hubClient, lifetimeSeconds, maxPerUser } = deps.sessions;
  const verifyIdToken = createIdTokenVerifier({
    issuer: deps.issuer,
    audiences: acceptedAudiences,
    organizationClaim: deps.organizationClaim,
    profile: deps.idTokenProfile,
    clock,
  });
  const { authorizationServer } = deps;
  /** For sessions, which hold ID tokens of the hub's own client too */
  const verifyOwn = createIdTokenVerifier({
    issuer: deps.issuer,
    audiences: [...new Set([...acceptedAudiences, hubClient.clientId])],
    organizationClaim: deps.organizationClaim,
    profile: deps.idTokenProfile,
    clock,
  });
  const fetch = withTimeout(deps.http.fetch, REFRESH_TIMEOUT_MS);
  const refreshTokens = createRefreshTokens({ identityProvider, hubClient, fetch, clock });
  const exchangeTokens = createExchangeTokens({
    type: deps.subjectTokenType ?? 'id_token',
    hubClientId: hubClient.clientId,
    now: () => epochSeconds(clock()),
  });
  const notes = createSessionNotes({ log, metrics: deps.metrics.registry, noteDeed });
  const { noteEnd } = notes;
  const slots = createSessionSlots({ store: deps.store, maxPerUser, clock });
  const clientSlots = createSessionSlots({ store: deps.store, maxPerUser, prefix: 'as:slot:', clock });
  const sessions = createSessions({
    store,
    slots,
    forClients: authorizationServer && {
      slots: clientSlots,
      verifyIdToken: verifyOwn,
      acceptedClients: [hubClient.clientId],
      lifetimeSeconds: authorizationServer.sessionLifetimeSeconds,
      idleSeconds: authorizationServer.sessionIdleSeconds,
      pendingSeconds: PENDING_SECONDS,
      marks: deps.store,
    },
    endings,
    announce,
    refreshTokens,
    exchangeTokens,
    isOfAnotherAgent: createIsOfAnotherAgent(deps.registry),
    renew: createRenewals({
      store,
      refreshTokens,
      exchangeTokens,
      verifyIdToken: verifyOwn,
      clock,
      log,
      noteEnd,
      pause: setTimeout,
    }),
    verifyIdToken,
    acceptedClients: acceptedAudiences,
    lifetimeSeconds,
    clock,
    log,
    notes,
  });
  return {
    verifyCaller: createCallerVerifier({
      verifyIdToken,
      sessions,
      exchangeToken: exchangeTokens.withoutSession,
      clients: authorizationServer && {
        tokens: createClientTokens({ backend: authorizationServer.backend, clock }),
        mcpResource: resourceOf(deps.publicUrl, undefined),
        verifyOwn,
        takesIdTokens: authorizationServer.takesIdTokens,
      },
    }),
    verifyOwn,
    refreshTokens,
    sessions,
    clientSessionsOf: createClientSessionsOf({ slots: clientSlots, store }),
    userSessionsOf: createUserSessionsOf({ slots: [slots, clientSlots], store }),
    noteTokenRefusals: createNoteTokenRefusals({ clock, log, metrics: deps.metrics.registry }),
    stepUps: createStepUps(deps.store),
    signOuts: createSignOuts({ store, log }),
    rememberSignIn: createRememberSignIn({ memory: store, clock, log }),
  };
}
