import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { SecureStore } from '@legate/secure-store';
import { type Session, SessionRecord, type Tokens } from './session-record.ts';
import { createSessionSlots } from './session-slots.ts';

/** Maximum number of sessions of one user; one more sign-in ends another session. */
const MAX_SESSIONS = 20;
const MAX_SESSIONS_OF_A_SIGN_IN = 5;
/** Minimum time between two updates of the last use, so that not every request writes. */
const NOTE_USE_SECONDS = 30;

export type Sessions = ReturnType<typeof createSessions>;
export type NewSession = Omit<SessionRecord, 'id' | 'createdAt' | 'endsAt'>;

export const sessionKeyOf = (id: string): string => hash('sha256', id, 'base64url');

/**
 * The sessions of the console. A record is stored encrypted, under the hash of the id in the cookie, so that
 * anyone who can read the store cannot use a session. A session is valid while both its record and the entry
 * of its last use exist.
 */
export function createSessions(deps: {
  store: SecureStore;
  idleSeconds: number;
  lifetimeSeconds: number;
  clock: () => Date;
}) {
  const { store, idleSeconds, lifetimeSeconds } = deps;
  const now = () => Math.floor(deps.clock().getTime() / 1000);
  const ofUser = createSessionSlots(store, 'user', MAX_SESSIONS);
  const ofSignIn = createSessionSlots(store, 'sign-in', MAX_SESSIONS_OF_A_SIGN_IN);
  const recordName = (key: string) => `session:${key}`;
  const usedName = (key: string) => `session-used:${key}`;

  async function findByKey(key: string): Promise<Session | undefined> {
    const [text, used] = await store.getMany([recordName(key), usedName(key)]);
    if (typeof text !== 'string' || typeof used !== 'string') return undefined;
    const record = SessionRecord.parse(JSON.parse(text));
    const lastUsedAt = Number(used);
    if (record.endsAt <= now() || lastUsedAt + idleSeconds <= now()) return undefined;
    return { key, record, text, lastUsedAt };
  }

  async function remove({ key, record }: Session): Promise<void> {
    await store.delete(recordName(key));
    await store.delete(usedName(key));
    await ofUser.free(record.userId, key);
    if (record.sid !== undefined) await ofSignIn.free(record.sid, key);
  }

  async function sessionsWith(keys: readonly string[]): Promise<Session[]> {
    const found = await Promise.all([...new Set(keys)].map(findByKey));
    return found.filter((session) => session !== undefined);
  }

  async function removeAll(keys: readonly string[]): Promise<Session[]> {
    const sessions = await sessionsWith(keys);
    for (const session of sessions) await remove(session);
    return sessions;
  }

  return {
    findByKey,
    remove,
    /** @returns the secret id, for the cookie alone */
    async create(session: NewSession): Promise<string> {
      const id = randomBytes(32).toString('base64url');
      const key = sessionKeyOf(id);
      const record: SessionRecord = {
        ...session,
        id: randomUUID(),
        createdAt: now(),
        endsAt: now() + lifetimeSeconds,
      };
      await store.set(recordName(key), JSON.stringify(record), lifetimeSeconds);
      await store.set(usedName(key), String(now()), idleSeconds);
      const displaced = [
        await ofUser.take(record.userId, key, lifetimeSeconds),
        record.sid && (await ofSignIn.take(record.sid, key, lifetimeSeconds)),
      ];
      await removeAll(displaced.filter((other) => typeof other === 'string'));
      return id;
    },
    /** Finds the session of a request, and records the time of its use. */
    async use(id: string): Promise<Session | undefined> {
      const session = await findByKey(sessionKeyOf(id));
      if (session && now() - session.lastUsedAt >= NOTE_USE_SECONDS)
        await store.set(usedName(session.key), String(now()), idleSeconds);
      return session;
    },
    /** @returns undefined if the session has ended or was changed in the meantime */
    async replaceTokens(session: Session, tokens: Tokens): Promise<Session | undefined> {
      const record = { ...session.record, tokens };
      const text = JSON.stringify(record);
      const isReplaced = await store.replace(recordName(session.key), session.text, text);
      return isReplaced ? { ...session, record, text } : undefined;
    },
    listOf: async (userId: string): Promise<Session[]> => sessionsWith(await ofUser.keysOf(userId)),
    endOfUser: async (userId: string): Promise<Session[]> => removeAll(await ofUser.keysOf(userId)),
    endOfSignIn: async (sid: string): Promise<Session[]> => removeAll(await ofSignIn.keysOf(sid)),
  };
}
