import type { CallerSession } from '@legate/delegation';
import { epochSeconds } from '@legate/jwt';
import type { SecureStore } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { IsOfAnotherAgent } from '../connectors/access.ts';
import type { Caller } from '../domain/caller.ts';
import type { Reach } from '../domain/reach.ts';
import { createEndSession } from './end-session.ts';
import type { Endings } from './endings.ts';
import { createEnterSession } from './enter-session.ts';
import type { ExchangeTokens } from './exchange-token.ts';
import { createFindSession, type SessionInUse } from './find-session.ts';
import type { createSessionNotes, EndReason } from './note-end.ts';
import {
  createOpenSession,
  createPrepareSession,
  type OpenedSession,
  type SessionOpening,
} from './open-session.ts';
import { createPendingSessions } from './pending-sessions.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { RenewSession } from './renewal.ts';
import { type ClientGrant, type EndHow, sessionKey } from './session-record.ts';
import type { SessionSlots } from './session-slots.ts';
import type { SessionStore } from './session-store.ts';
import { namingOutages } from './store-outage.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

/**
 * Sessions of the hub: an opaque handle that replaces an ID token, which the hub renews if it has a refresh token. All
 * methods throw a 503 `session_store_unavailable` when the store cannot be reached.
 */
export type Sessions = ReturnType<typeof createSessions>;

/** Differences of the sessions of clients from those of applications */
export interface ClientSessions {
  readonly slots: SessionSlots;
  readonly verifyIdToken: VerifyIdToken;
  readonly acceptedClients: readonly string[];
  readonly lifetimeSeconds: number;
  readonly idleSeconds: number;
  readonly marks: SecureStore;
  /** Seconds for which a session may wait until its code is redeemed */
  readonly pendingSeconds: number;
}

/** Seconds before its end at which an ID token may be refused just because it is about to expire */
const EXPIRY_MARGIN_SECONDS = 60;

/**
 * @param deps.announce notifies the other replicas of what has ended; best effort
 * @param deps.slots limit the sessions of a user
 */
export function createSessions(deps: {
  store: SessionStore;
  slots: SessionSlots;
  /** Terms of sessions of clients of the hub's authorization server; undefined: the hub has no such server */
  forClients?: ClientSessions | undefined;
  endings: Pick<Endings, 'end'>;
  announce: (name: string) => Promise<void>;
  refreshTokens: RefreshTokens;
  renew: RenewSession;
  verifyIdToken: VerifyIdToken;
  exchangeTokens: Pick<ExchangeTokens, 'of' | 'presented'>;
  isOfAnotherAgent: IsOfAnotherAgent;
  /** Clients whose refresh tokens are accepted */
  acceptedClients: readonly string[];
  lifetimeSeconds: number;
  clock: () => Date;
  log: Logger;
  notes: ReturnType<typeof createSessionNotes>;
}) {
  const { slots, endings, announce, refreshTokens, verifyIdToken, clock, log, notes } = deps;
  const store = namingOutages(deps.store);
  const now = (): number => epochSeconds(deps.clock());
  const { acceptedClients, lifetimeSeconds, exchangeTokens } = deps;
  const openSession = createOpenSession({
    ...{ store, verifyIdToken, exchangeTokens, acceptedClients, lifetimeSeconds, clock, notes },
    enter: createEnterSession({ store, slots, clock }),
  });
  const pending =
    deps.forClients &&
    createPendingSessions({
      store,
      prepare: createPrepareSession({ store, exchangeTokens, clock, ...deps.forClients }),
      enter: createEnterSession({ store, slots: deps.forClients.slots, clock }),
      ...{ pendingSeconds: deps.forClients.pendingSeconds, marks: deps.forClients.marks, clock, notes },
    });
  const { announceEnd, endToolSessions, remove, removeForGood, makeWay } = createEndSession({
    store,
    slots,
    allSlots: deps.forClients ? [slots, deps.forClients.slots] : [slots],
    endings,
    announce,
    refreshTokens,
    notes,
    log,
  });

  const findByKey = createFindSession({
    ...{ store, removal: { remove, removeForGood }, exchangeTokens },
    ...{ renew: deps.renew, isOfAnotherAgent: deps.isOfAnotherAgent },
  });

  return {
    /** @throws {Problem} 400, 401 `signed_out`, 409 `refresh_token_in_use` */
    async open(idToken: string, opening: Omit<SessionOpening, 'grant' | 'access'>): Promise<OpenedSession> {
      const { displaced, ...opened } = await openSession(idToken, opening);
      await makeWay(displaced);
      return opened;
    },
    /** Opens a session of a client of the hub's authorization server, whose tokens stand for it; nobody has a handle. */
    async openForClient(
      idToken: string,
      opening: Omit<SessionOpening, 'accessToken'> & { clientId: string; grant: ClientGrant },
    ): Promise<Pick<OpenedSession, 'key' | 'endsAt'>> {
      if (!pending) throw new Error('the authorization server is not set up');
      return pending.open(idToken, opening);
    },
    /** Records that the user has removed a client, so that codes issued to it before are not redeemed. */
    async removePending(user: Pick<Caller, 'organizationId' | 'userId'>, clientId: string): Promise<void> {
      await pending?.remove(user, clientId);
    },
    /**
     * Marks a session as in use after its client has redeemed the code. @throws {Problem} 401 `session_ended`, 409
     * `refresh_token_in_use`, 429
     */
    async redeem(key: string): Promise<void> {
      await makeWay((await pending?.redeem(key)) ?? []);
    },
    /**
     * @throws {Problem} 401 `session_ended`, 503 `idp_unavailable` if its ID token has expired and cannot be renewed
     * now
     */
    find: (handle: string): Promise<SessionInUse> => findByKey(sessionKey(handle)),
    findByKey,
    /** Ends a session, and revokes its refresh token at the identity provider if possible. */
    async end({ key }: Pick<CallerSession, 'key'>, reason: EndReason = 'signed_out'): Promise<void> {
      const found = await store.find(key);
      if (found.kind !== 'absent') await removeForGood(found.session, reason);
    },
    /** Ends a session if the identity provider has refused the ID token that the session still has. */
    async endIfRefused({ key }: CallerSession, refusedIdToken: string): Promise<void> {
      const found = await store.find(key);
      if (found.kind !== 'found') return;
      const { idToken, idTokenExpiresAt } = found.session.record;
      // The refusal of an older token, or of an expired one, proves nothing about the sign-in.
      if (idToken !== refusedIdToken || idTokenExpiresAt - now() < EXPIRY_MARGIN_SECONDS) return;
      await removeForGood(found.session, 'refused_by_idp');
    },
    async endAll(reach: Exclude<Reach, { key: string }>, how?: EndHow): Promise<void> {
      await store.end(reach, how);
      await announceEnd(reach);
    },
    /** Ends a user's sessions at tool servers, in all processes, while other sign-ins of the user may continue. */
    endToolSessions,
  };
}
