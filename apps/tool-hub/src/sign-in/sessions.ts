import type { CallerSession, ExchangeToken } from '@legate/delegation';
import type { AgentId } from '@legate/ids';
import { epochSeconds } from '@legate/jwt';
import type { Logger } from '@legate/service';
import type { Reach } from '../domain/reach.ts';
import { sessionEnded, sessionNotRenewed } from '../refusals/sign-in-problems.ts';
import { createEndSession } from './end-session.ts';
import type { Endings } from './endings.ts';
import type { ExchangeTokens } from './exchange-token.ts';
import type { createSessionNotes, EndReason } from './note-end.ts';
import { createOpenSession, type OpenedSession, type SessionOpening } from './open-session.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { RenewSession } from './renewal.ts';
import { type ClientGrant, type EndHow, isHandle, sessionKey } from './session-record.ts';
import type { SessionSlots } from './session-slots.ts';
import type { SessionStore } from './session-store.ts';
import { namingOutages, rethrowOutage } from './store-outage.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

/**
 * Sessions of the hub: an opaque handle that replaces an ID token, which the hub renews if it has a refresh token. All
 * methods throw a 503 `session_store_unavailable` when the store cannot be reached.
 */
export type Sessions = ReturnType<typeof createSessions>;

/** How sessions of clients differ from those of applications. */
export interface ClientSessions {
  readonly slots: SessionSlots;
  readonly verifyIdToken: VerifyIdToken;
  readonly acceptedClients: readonly string[];
  readonly lifetimeSeconds: number;
  readonly idleSeconds: number;
}

/** A session that lives, with a valid ID token */
export interface SessionInUse {
  readonly idToken: string;
  /** Epoch seconds at which it ends in any case */
  readonly endsAt: number;
  /** Undefined: an application has its handle. */
  readonly grant: ClientGrant | undefined;
  /** The agent that it is bound to */
  readonly agentId: AgentId | undefined;
  readonly session: CallerSession;
  /** What the identity provider exchanges; undefined: the ID token */
  readonly exchangeToken: ExchangeToken | undefined;
}

/** An ID token so close to its end may be refused for that alone. */
const EXPIRY_MARGIN_SECONDS = 60;

/**
 * @param deps.announce tells the other replicas what has ended; best effort
 * @param deps.slots limit the sessions of a user
 */
export function createSessions(deps: {
  store: SessionStore;
  slots: SessionSlots;
  /** For sessions of clients of the hub's authorization server; undefined: it has none */
  forClients?: ClientSessions | undefined;
  endings: Pick<Endings, 'end'>;
  announce: (name: string) => Promise<void>;
  refreshTokens: RefreshTokens;
  renew: RenewSession;
  verifyIdToken: VerifyIdToken;
  exchangeTokens: Pick<ExchangeTokens, 'of'>;
  /** Clients whose refresh tokens are taken */
  acceptedClients: readonly string[];
  lifetimeSeconds: number;
  clock: () => Date;
  log: Logger;
  notes: ReturnType<typeof createSessionNotes>;
}) {
  const { slots, endings, announce, refreshTokens, verifyIdToken, clock, log, notes } = deps;
  const store = namingOutages(deps.store);
  const now = (): number => epochSeconds(deps.clock());
  const { acceptedClients, lifetimeSeconds } = deps;
  const opening = { store, slots, verifyIdToken, acceptedClients, lifetimeSeconds, clock, notes };
  const openSession = createOpenSession(opening);
  const openForClient = createOpenSession({ ...opening, ...deps.forClients });
  const { tell, endToolSessions, remove, removeForGood, makeWay } = createEndSession({
    store,
    slots,
    allSlots: deps.forClients ? [slots, deps.forClients.slots] : [slots],
    endings,
    announce,
    refreshTokens,
    notes,
    log,
  });

  async function findByKey(key: string): Promise<SessionInUse> {
    const found = await store.find(key);
    if (found.kind === 'absent') throw sessionEnded();
    if (found.kind === 'ended') {
      await removeForGood(found.session, found.reason);
      throw sessionEnded();
    }
    const renewing = deps.renew(found.session);
    const renewal = renewing instanceof Promise ? await renewing.catch(rethrowOutage) : renewing;
    switch (renewal.kind) {
      case 'usable': {
        const { record } = renewal.session;
        const { idToken, endsAt, grant, agentId, sid } = record;
        const exchangeToken = deps.exchangeTokens.of(record);
        return { idToken, endsAt, grant, agentId, session: { key, sid }, exchangeToken };
      }
      case 'ended': {
        // Its refresh token is useless now, or was revoked meanwhile.
        await remove(found.session, 'not_renewed', renewal.reason);
        throw sessionEnded();
      }
      case 'unavailable':
        throw sessionNotRenewed();
    }
  }

  return {
    isHandle,
    /** @throws {Problem} 400, 401 `signed_out`, 409 `refresh_token_in_use` */
    async open(idToken: string, opening: Omit<SessionOpening, 'grant'>): Promise<OpenedSession> {
      const { displaced, ...opened } = await openSession(idToken, opening);
      await makeWay(displaced);
      return opened;
    },
    /** The same for a client of the hub's authorization server: its tokens stand for the session, and nobody has a handle. */
    async openForClient(
      idToken: string,
      opening: SessionOpening & { clientId: string; grant: ClientGrant },
    ): Promise<Pick<OpenedSession, 'key' | 'endsAt'>> {
      const { key, endsAt, displaced } = await openForClient(idToken, opening);
      await makeWay(displaced);
      return { key, endsAt };
    },
    /** @throws {Problem} 401 `session_ended`, 503 `idp_unavailable` when its ID token has ended and cannot be renewed now */
    find: (handle: string): Promise<SessionInUse> => findByKey(sessionKey(handle)),
    findByKey,
    /** Ends one, and revokes its refresh token at the identity provider, where that can be done. */
    async end({ key }: Pick<CallerSession, 'key'>, reason: EndReason = 'signed_out'): Promise<void> {
      const found = await store.find(key);
      if (found.kind !== 'absent') await removeForGood(found.session, reason);
    },
    /** Ends it when the identity provider has refused the ID token that it still has. */
    async endIfRefused({ key }: CallerSession, refusedIdToken: string): Promise<void> {
      const found = await store.find(key);
      if (found.kind !== 'found') return;
      const { idToken, idTokenExpiresAt } = found.session.record;
      // An older token says nothing about the sign-in, and neither does one that was refused because it had expired.
      if (idToken !== refusedIdToken || idTokenExpiresAt - now() < EXPIRY_MARGIN_SECONDS) return;
      await removeForGood(found.session, 'refused_by_idp');
    },
    async endAll(reach: Exclude<Reach, { key: string }>, how?: EndHow): Promise<void> {
      await store.end(reach, how);
      await tell(reach);
    },
    /** Ends what a user has at tool servers, in all processes, while sign-ins of theirs may go on. */
    endToolSessions,
  };
}
