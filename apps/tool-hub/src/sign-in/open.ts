import { setTimeout } from 'node:timers/promises';
import { epochSeconds } from '@legate/jwt';
import type { Backend } from '@legate/secure-store';
import type { RecordUserAction } from '../audit/user-event.ts';
import { createIsOfAnotherAgent } from '../connectors/access.ts';
import type { ConnectorRegistry } from '../domain/registry.ts';
import type { Platform } from '../platform/platform.ts';
import { createClientSessionsOf } from './client-sessions.ts';
import { createClientTokens } from './client-tokens.ts';
import { createExchangeTokens } from './exchange-token.ts';
import type { IdentityProviderPart } from './identity-provider.ts';
import { createLendRefreshToken } from './lend-refresh-token.ts';
import { createRememberSignIn } from './logout-token-memory.ts';
import { createSessionNotes } from './note-end.ts';
import { createNoteTokenRefusals } from './note-token-refusals.ts';
import type { AccessTokenTerms } from './presented-access-token.ts';
import { createRefreshTokens } from './refresh-tokens.ts';
import { createRenewals } from './renewal.ts';
import { createSessionSlots } from './session-slots.ts';
import { createSessions } from './sessions.ts';
import type { SharedSessions } from './shared-sessions.ts';
import { createSignOuts } from './sign-outs.ts';
import { createStepUps } from './step-ups.ts';
import { createUserSessionsOf } from './user-sessions.ts';
import { createCallerVerifier } from './verify-caller.ts';
import { createIdTokenVerifier } from './verify-id-token.ts';

/** Waits without keeping the process alive. */
const patiently = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });

/** Options for MCP clients that have signed their user in at the hub itself */
export interface ClientSignIn {
  /** Store of their tokens */
  readonly backend: Backend;
  readonly mcpResource: string;
  readonly sessionLifetimeSeconds: number;
  readonly sessionIdleSeconds: number;
  /** Time for which a session may wait for the client to redeem its code */
  readonly pendingSeconds: number;
  /** False: `/mcp` accepts only tokens of this authorization server. */
  readonly takesIdTokens: boolean;
}

/** Authenticates callers, and ends their access. */
export type SignIn = ReturnType<typeof openSignIn>;

export function openSignIn(
  platform: Platform,
  parts: {
    identityProvider: IdentityProviderPart;
    sessions: SharedSessions;
    registry: ConnectorRegistry;
    /** undefined: MCP clients sign users in at the identity provider itself. */
    clients: ClientSignIn | undefined;
    recordUserAction: RecordUserAction;
  },
) {
  const { clock, log } = platform;
  const { clients, recordUserAction, registry } = parts;
  const { acceptedAudiences, identityProvider, hubClient, subjectScope } = parts.identityProvider;
  const { store, endings, announce, lifetimeSeconds, maxPerUser } = parts.sessions;
  const { registry: metrics } = platform.metrics;
  const verifierFor = (audiences: readonly string[]) =>
    createIdTokenVerifier({
      issuer: parts.identityProvider.issuer,
      ...{ audiences, clock },
      organizationRule: parts.identityProvider.organizationRule,
      userClaim: parts.identityProvider.kind.userClaim,
      profile: parts.identityProvider.idTokenProfile,
    });
  const verifyIdToken = verifierFor(acceptedAudiences);
  /** Verifies ID tokens of sessions, which may be issued to the hub's own client too. */
  const verifyOwn = verifierFor([...new Set([...acceptedAudiences, hubClient.clientId])]);
  const refreshTokens = createRefreshTokens({
    ...{ identityProvider, subjectScope, hubClient, clock, log },
    fetch: platform.http.fetch,
  });
  const exchangeTokens = createExchangeTokens({
    type: parts.identityProvider.subjectTokenType,
    terms: accessTokenTerms(parts.identityProvider, platform.publicUrl),
    lend: createLendRefreshToken({ store, refreshTokens, clock, pause: patiently, log }),
    now: () => epochSeconds(clock()),
  });
  const notes = createSessionNotes({ log, metrics, recordUserAction });
  const slots = createSessionSlots({ store: platform.store, maxPerUser, clock });
  const clientSlots = createSessionSlots({ store: platform.store, maxPerUser, prefix: 'as:slot:', clock });
  const sessions = createSessions({
    store,
    slots,
    forClients: clients && {
      slots: clientSlots,
      verifyIdToken: verifyOwn,
      acceptedClients: [hubClient.clientId],
      lifetimeSeconds: clients.sessionLifetimeSeconds,
      idleSeconds: clients.sessionIdleSeconds,
      pendingSeconds: clients.pendingSeconds,
      marks: platform.store,
    },
    endings,
    announce,
    refreshTokens,
    exchangeTokens,
    isOfAnotherAgent: createIsOfAnotherAgent(registry),
    renew: createRenewals({
      store,
      refreshTokens,
      exchangeTokens,
      verifyIdToken: verifyOwn,
      clock,
      log,
      noteEnd: notes.noteEnd,
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
      clients: clients && {
        tokens: createClientTokens({ backend: clients.backend, clock }),
        mcpResource: clients.mcpResource,
        verifyOwn,
        takesIdTokens: clients.takesIdTokens,
      },
    }),
    verifyOwn,
    refreshTokens,
    exchangeTokens,
    sessions,
    clientSessionsOf: createClientSessionsOf({ slots: clientSlots, store }),
    userSessionsOf: createUserSessionsOf({ slots: [slots, clientSlots], store }),
    noteTokenRefusals: createNoteTokenRefusals({ clock, log, metrics }),
    stepUps: createStepUps(platform),
    signOuts: createSignOuts({ store, log }),
    rememberSignIn: createRememberSignIn({ memory: store, clock, log }),
  };
}

const accessTokenTerms = (
  { issuer, kind, hubClient }: IdentityProviderPart,
  publicUrl: string,
): AccessTokenTerms => ({
  issuer: issuer.issuer,
  userClaim: kind.accessTokenUserClaim,
  audiences: [hubClient.clientId, publicUrl],
  hubClientId: hubClient.clientId,
});
