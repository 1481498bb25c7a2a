import { hash } from 'node:crypto';
import type { SecureStore } from '@legate/secure-store';
import type { Caller } from '../domain/caller.ts';
import { sessionEnded } from '../refusals/sign-in-problems.ts';
import type { EnterSession } from './enter-session.ts';
import type { createSessionNotes } from './note-end.ts';
import type { createPrepareSession, OpenedSession, SessionOpening } from './open-session.ts';
import type { SessionRecord, StoredSession } from './session-record.ts';
import type { Slot } from './session-slots.ts';
import type { SessionStore } from './session-store.ts';
import { rethrowOutage } from './store-outage.ts';

/** Maximum attempts: more than a session can change within its first minute */
const MAX_ATTEMPTS = 5;

/**
 * Sessions of MCP clients that wait for their code to be redeemed. Until then, a session does not count and displaces
 * no other one: a page could send a browser through any number of authorizations that ask the user nothing. A session
 * that is not redeemed expires with its code, together with its refresh token.
 */
export function createPendingSessions(deps: {
  store: Pick<SessionStore, 'open' | 'find' | 'keep'>;
  prepare: ReturnType<typeof createPrepareSession>;
  enter: EnterSession;
  marks: Pick<SecureStore, 'set' | 'getMany'>;
  /** Seconds within which a code must be redeemed */
  pendingSeconds: number;
  clock: () => Date;
  notes: Pick<ReturnType<typeof createSessionNotes>, 'noteOpening'>;
}) {
  const { store, prepare, enter, marks, pendingSeconds, clock, notes } = deps;

  async function isRemoved({ grant, ...user }: SessionRecord, pendingSince: number): Promise<boolean> {
    const [mark] = await marks.getMany([removedName(user, grant?.clientId)]).catch(rethrowOutage);
    // An unreadable mark was encrypted with a removed key, so its time is unknown.
    return typeof mark === 'string' ? pendingSince <= Number(mark) : mark !== undefined;
  }

  async function findRedeemable(key: string): Promise<StoredSession> {
    const found = await store.find(key);
    if (found.kind !== 'found') throw sessionEnded();
    const { record } = found.session;
    if (record.pendingSince === undefined || (await isRemoved(record, record.pendingSince)))
      throw sessionEnded();
    return found.session;
  }

  async function keep(key: string, slot: Slot): Promise<void> {
    // Its ID token may be renewed at the same time. If another request ends the session, it is removed and not
    // restored.
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      // Checked again now that the session has a slot: removing a client first sets its mark, and then ends sessions
      // with a slot.
      const session = await findRedeemable(key);
      const { pendingSince, ...record } = session.record;
      if (await store.keep(session, { ...record, slot })) return notes.noteOpening(record);
    }
    throw sessionEnded();
  }

  return {
    /** @throws {Problem} 400, 401 `signed_out` */
    async open(idToken: string, opening: SessionOpening): Promise<Pick<OpenedSession, 'key' | 'endsAt'>> {
      const { key, endsAt, record } = await prepare(idToken, opening);
      await store.open(key, { ...record, pendingSince: clock().getTime() }, pendingSeconds);
      return { key, endsAt };
    },
    /**
     * @returns keys of the sessions that exceed the user's limit now
     * @throws {Problem} 401 `session_ended`, 409 `refresh_token_in_use`, 429
     */
    async redeem(key: string): Promise<readonly string[]> {
      const { record } = await findRedeemable(key);
      const { slot, displaced, leave } = await enter(key, record);
      await keep(key, slot).catch(async (err: unknown) => {
        await leave();
        throw err;
      });
      return displaced;
    },
    /** Records that the user has removed the client, so that codes issued to it before are not redeemed. */
    async remove(user: User, clientId: string): Promise<void> {
      const at = String(clock().getTime());
      await marks.set(removedName(user, clientId), at, pendingSeconds).catch(rethrowOutage);
    },
  };
}

type User = Pick<Caller, 'organizationId' | 'userId'>;

const removedName = ({ organizationId, userId }: User, clientId: string | undefined): string =>
  `as:removed:${hash('sha256', JSON.stringify([organizationId, userId, clientId]), 'base64url')}`;
