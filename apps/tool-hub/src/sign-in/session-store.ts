import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { createLatest } from '../domain/latest.ts';
import { type Belonging, type Reach, reachesOf, reachName } from '../domain/reach.ts';
import { createLogoutTokenMemory, type LogoutTokenMemory, sidName } from './logout-token-memory.ts';
import {
  type End,
  type EndHow,
  type FoundSession,
  idOf,
  nextEnd,
  parseEnd,
  parseRecord,
  type SessionRecord,
  type StoredSession,
} from './session-record.ts';

/**
 * Sessions between requests. As with tokens (token-cache/token-cache.ts), joint ends are not executed but recorded: the
 * latest end for each user, organization and sign-in is stored, and a session is valid only while these are the same as
 * when it was opened. They are read together with it, in one round trip.
 *
 * All methods throw when the store cannot be reached: without it the caller cannot be identified.
 */
export interface SessionStore {
  /**
   * Returns the ids of the latest ends recorded for this user, organization, sign-in and agent; '' stands for none. Call it
   * before you decide whether a session may be opened.
   */
  endsBefore(belonging: Belonging): Promise<readonly string[]>;
  /** @param ttlSeconds default: until it ends */
  open(key: string, record: SessionRecord, ttlSeconds?: number): Promise<void>;
  /**
   * Gives a session that was pending the lifetime in its record.
   * @returns false if it had changed or ended meanwhile, and nothing was written
   */
  keep(session: StoredSession, record: SessionRecord): Promise<boolean>;
  find(key: string): Promise<FoundSession>;
  /** Returns a session that has not ended, without counting as a use of it; undefined for any other. */
  look(key: string): Promise<SeenSession | undefined>;
  /** @returns the stored session; undefined if it had changed or ended meanwhile, and nothing was written */
  replace(session: StoredSession, record: SessionRecord): Promise<StoredSession | undefined>;
  /** @returns the last state of the session; undefined if it had already ended */
  remove(key: string): Promise<SessionRecord | undefined>;
  end(reach: Exclude<Reach, { key: string }>, how?: EndHow): Promise<void>;
  /** Returns entries of ends by their names, as they are stored. */
  readEntries(names: readonly string[]): Promise<readonly (string | undefined | UnreadableEntry)[]>;
  /**
   * Returns the latest ends with these names, if there are any. One that cannot be read counts as an end at this
   * moment.
   */
  endsOf(reaches: readonly Reach[]): Promise<readonly (End | undefined)[]>;
  /** @returns false if another session has this refresh token, or had it */
  holdRefreshToken(digest: string): Promise<boolean>;
  /** Releases the refresh token of a session that was not opened after all. */
  releaseRefreshToken(digest: string): Promise<void>;
}

/** A session as shown to its user */
export interface SeenSession {
  readonly record: SessionRecord;
  /** Epoch seconds of the last use, which may be later by up to a tenth of the idle time */
  readonly usedAt: number;
}

/** Maximum lifetime of a session in seconds. An end is kept longer than every session that it may have ended. */
export const MAX_LIFETIME_SECONDS = 30 * 86_400;
const END_TTL_SECONDS = MAX_LIFETIME_SECONDS + 3600;
/** Share of the idle time after which a use is recorded, so that not every request writes */
const TOUCH_AFTER = 0.1;

export function createSessionStore(deps: {
  store: SecureStore;
  idleSeconds: number;
  clock: () => Date;
  log: Logger;
}): SessionStore & LogoutTokenMemory {
  const { store, idleSeconds, clock, log } = deps;
  const now = (): number => Math.floor(clock().getTime() / 1000);
  /** A session's owner never changes: caching it saves the second round trip. */
  const namesByKey = createLatest<readonly string[]>(10_000);
  /**
   * The sessions that were read last: nearly all requests of a session find it unchanged, and comparing costs less than
   * parsing.
   */
  const parsed = createLatest<Pick<StoredSession, 'record' | 'text'>>(1000);

  function recordIn(key: string, text: string): SessionRecord | undefined {
    const last = parsed.get(key);
    if (last?.text === text) return last.record;
    const record = parseRecord(text);
    if (record) parsed.set(key, { record, text });
    return record;
  }

  /** @returns undefined if the use need not be recorded, as in nearly all requests */
  function touch(key: string, usedAt: number, idle: number): Promise<void> | undefined {
    if (now() - usedAt < idle * TOUCH_AFTER) return undefined;
    return store.set(usedName(key), String(now()), idle).catch((err: unknown) => {
      log.warn({ err }, 'sessions: time of last use not stored');
    });
  }

  const secondsLeft = ({ endsAt }: SessionRecord): number => Math.max(1, endsAt - now());
  const noteOpening = createNoteOpening({ store, idleSeconds, now });

  async function endsOf(reaches: readonly Reach[]): Promise<readonly (End | undefined)[]> {
    const entries = await store.getMany(reaches.map(reachName));
    const unreadable = { id: '!', at: clock().getTime(), signedOutAt: now() };
    return entries.map((entry) => (entry instanceof UnreadableEntry ? unreadable : parseEnd(entry)));
  }

  /**
   * @returns the session, and why it must not be used, if so. This is one function, because each request waits for it.
   */
  async function read(key: string) {
    for (let names = namesByKey.get(key); ; ) {
      const [text, used, ...ends] = await store.getMany([key, usedName(key), ...(names ?? [])]);
      const record = typeof text === 'string' ? recordIn(key, text) : undefined;
      if (typeof text !== 'string' || !record) return undefined;
      if (names) {
        const session = { key, record, text };
        return { session, used, reason: reasonToEnd({ session, used, ends: ends.map(idOf) }, now()) };
      }
      names = namesOfRecord(record);
      namesByKey.set(key, names);
    }
  }

  return {
    endsBefore: async (belonging) => (await store.getMany(namesOf(belonging))).map(idOf),
    async open(key, record, ttlSeconds = secondsLeft(record)) {
      await noteOpening(key, record, ttlSeconds);
      await store.set(key, JSON.stringify(record), ttlSeconds);
      namesByKey.set(key, namesOfRecord(record));
    },
    async keep({ key, text }, record) {
      const ttlSeconds = secondsLeft(record);
      if (!(await store.replace(key, text, JSON.stringify(record), ttlSeconds))) return false;
      await noteOpening(key, record, ttlSeconds);
      return true;
    },
    async find(key) {
      const found = await read(key);
      if (!found) return { kind: 'absent' };
      const { session, used, reason } = found;
      if (reason) return { kind: 'ended', session, reason };
      const touching = touch(key, Number(used), session.record.idleSeconds ?? idleSeconds);
      if (touching) await touching;
      return { kind: 'found', session };
    },
    async look(key) {
      const found = await read(key);
      if (!found || found.reason) return undefined;
      return { record: found.session.record, usedAt: Number(found.used) };
    },
    async replace({ key, text }, record) {
      const next = JSON.stringify(record);
      return (await store.replace(key, text, next)) ? { key, record, text: next } : undefined;
    },
    async remove(key) {
      namesByKey.delete(key);
      parsed.delete(key);
      const [record] = await Promise.all([takeRecord(store, key), store.delete(usedName(key))]);
      return record;
    },
    async end(reach, how = {}) {
      const [former] = await endsOf([reach]);
      const end = nextEnd(former, how, clock().getTime());
      await store.set(reachName(reach), JSON.stringify(end), END_TTL_SECONDS);
    },
    readEntries: (names) => store.getMany(names),
    endsOf,
    ...createRefreshTokenMarks(store),
    ...createLogoutTokenMemory(store),
  };
}

/**
 * Removes exactly the session that it returns, since what the record names is then released, such as a slot that is
 * new.
 */
async function takeRecord(store: SecureStore, key: string): Promise<SessionRecord | undefined> {
  for (;;) {
    const [text] = await store.getMany([key]);
    if (typeof text !== 'string') {
      await store.delete(key);
      return undefined;
    }
    if (await store.replace(key, text, undefined)) return parseRecord(text);
  }
}

/** Returns a function that records what is looked up without a session's record: its use, and whose sign-in it is. */
const createNoteOpening =
  ({ store, idleSeconds, now }: { store: SecureStore; idleSeconds: number; now: () => number }) =>
  async (key: string, record: SessionRecord, ttlSeconds: number): Promise<void> => {
    await store.set(usedName(key), String(now()), Math.min(record.idleSeconds ?? idleSeconds, ttlSeconds));
    if (record.sid !== undefined)
      await store.set(sidName(record.sid, isRenewable(record) ? '' : ':brief'), record.userId, ttlSeconds);
    if (record.original.sub !== undefined)
      await createLogoutTokenMemory(store).noteSubject(record.original.sub, record.userId);
  };

const createRefreshTokenMarks = (
  store: SecureStore,
): Pick<SessionStore, 'holdRefreshToken' | 'releaseRefreshToken'> => ({
  holdRefreshToken: (digest) => store.add(refreshTokenName(digest), '1', END_TTL_SECONDS),
  async releaseRefreshToken(digest) {
    await store.delete(refreshTokenName(digest));
  },
});

interface ReadSession {
  readonly session: StoredSession;
  /** Epoch seconds of the last use; undefined if the idle time has passed since */
  readonly used: string | undefined | UnreadableEntry;
  /** Current ids of the joint ends */
  readonly ends: readonly string[];
}

/** @returns undefined for a session that has not ended */
function reasonToEnd(
  { session: { record }, used, ends }: ReadSession,
  now: number,
): 'revoked' | 'lifetime' | 'idle' | undefined {
  // A missing end is older than any session that it could have ended.
  if (ends.some((id, index) => id !== '' && id !== record.ends[index])) return 'revoked';
  if (record.endsAt <= now) return 'lifetime';
  return typeof used === 'string' ? undefined : 'idle';
}

const namesOf = (belonging: Belonging): readonly string[] => reachesOf(belonging).map(reachName);
const namesOfRecord = (record: SessionRecord): readonly string[] =>
  namesOf({ ...record, subject: record.original.sub });
const usedName = (key: string): string => `${key}:used`;
const refreshTokenName = (digest: string): string => `session-refresh-token:${digest}`;
const isRenewable = ({ refreshToken }: SessionRecord): boolean => refreshToken !== undefined;
