import { hash, randomUUID } from 'node:crypto';
import { OrganizationId, UserId } from '@legate/ids';
import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { z } from 'zod';
import { createLatest } from '../domain/latest.ts';
import { type Belonging, type Reach, reachesOf, reachName } from '../domain/reach.ts';
import { Slot } from './session-slots.ts';

/** What is kept of a session, encrypted; times in epoch seconds. */
const SessionRecord = z.object({
  userId: UserId,
  organizationId: OrganizationId,
  /** To whom the refresh token was issued */
  clientId: z.string(),
  sid: z.string().optional(),
  idToken: z.string(),
  idTokenIssuedAt: z.number(),
  idTokenExpiresAt: z.number(),
  /** Of the ID token with which the session was opened: what every later one must repeat (OpenID Connect Core §12.2) */
  original: z.object({
    iss: z.string(),
    aud: z.array(z.string()),
    azp: z.string().optional(),
    nonce: z.string().optional(),
    authTime: z.number().optional(),
  }),
  /** Absent: the session ends with its ID token. */
  refreshToken: z.string().optional(),
  /** Set before the refresh token is sent, and with the answer taken away: while it is there, nobody may send it. */
  sentAt: z.number().optional(),
  endsAt: z.number(),
  /** Absent in those of an older version of this program */
  slot: Slot.optional(),
  /** Which of the ends that reach it there had been when it was opened */
  ends: z.array(z.string()),
});
export type SessionRecord = z.output<typeof SessionRecord>;

/** A session as it was read; `text` is what `replace` expects to find. */
export interface StoredSession {
  readonly key: string;
  readonly record: SessionRecord;
  readonly text: string;
}

export type FoundSession =
  | { readonly kind: 'found'; readonly session: StoredSession }
  /** Nobody may use it any more, and what is left of it is to be removed. */
  | {
      readonly kind: 'ended';
      readonly session: StoredSession;
      readonly reason: 'revoked' | 'idle' | 'lifetime';
    }
  | { readonly kind: 'absent' };

/**
 * When sessions, or what runs at a connector, were ended together: `at` in milliseconds of our clock, `signedOutAt` in
 * seconds of the provider's. What had begun by `at` may run until `cutAt`; absent: it ends at once.
 */
const End = z.object({
  id: z.string(),
  at: z.number(),
  signedOutAt: z.number().optional(),
  /** `tokenId`s of the ID tokens that were presented to sign out, issued at `signedOutAt` or before */
  tokenIds: z.array(z.string()).optional(),
  cutAt: z.number().optional(),
});
export type End = z.output<typeof End>;

export interface EndHow {
  /** At the identity provider, in epoch seconds: no session is opened with an ID token of before. */
  readonly signedOutAt?: number | undefined;
  /** Of the ID token that was presented to sign out, which is over whenever it was issued (`tokenId`) */
  readonly tokenId?: string | undefined;
  /** What runs may go on for so long. */
  readonly graceMs?: number | undefined;
}

/**
 * Sessions between requests. As with tokens (token-cache/token-cache.ts), ends of many sessions are not carried out but
 * noted: beside the sessions lies the latest end for each user, organization and sign-in, and a session counts only while
 * these are what they were when it was opened. It is read together with them, in one round trip.
 *
 * All methods throw when the store cannot be reached: without it nobody can say who calls.
 */
export interface SessionStore {
  /** Which ends there have been for these: to be asked for before it is judged whether a session may be opened. */
  endsBefore(belonging: Belonging): Promise<readonly string[]>;
  open(key: string, record: SessionRecord): Promise<void>;
  find(key: string): Promise<FoundSession>;
  /** @returns what is stored now; undefined when it had changed or ended meanwhile, and nothing happened */
  replace(session: StoredSession, record: SessionRecord): Promise<StoredSession | undefined>;
  /** @returns false when it had ended already */
  remove(key: string): Promise<boolean>;
  end(reach: Exclude<Reach, { key: string }>, how?: EndHow): Promise<void>;
  /** Entries of ends by their names, as they are stored */
  readMarks(names: readonly string[]): Promise<readonly (string | undefined | UnreadableEntry)[]>;
  /** The latest ends of these, as far as there are any; one that cannot be read is of now. */
  endsOf(reaches: readonly Reach[]): Promise<readonly (End | undefined)[]>;
  /** @returns false when another session has this refresh token, or had it */
  holdRefreshToken(digest: string): Promise<boolean>;
  /** Of a session that was not opened after all */
  releaseRefreshToken(digest: string): Promise<void>;
}

/** What back-channel logout needs to know; throws likewise. */
export interface LogoutTokenMemory {
  /** Notes whose sign-in it is, of a user who calls with ID tokens and has no session here. */
  noteSignIn(sid: string, userId: UserId, ttlSeconds: number): Promise<void>;
  /** Whose sign-in it is, for a logout token that names no user */
  findUserOfSid(sid: string): Promise<UserId | undefined>;
  /** @returns false when it was noted before */
  noteLogoutToken(jti: string, ttlSeconds: number): Promise<boolean>;
  forgetLogoutToken(jti: string): Promise<void>;
}

/** The longest that a session may be given; an end outlives every session that it may have ended. */
export const MAX_LIFETIME_SECONDS = 30 * 86_400;
const END_TTL_SECONDS = MAX_LIFETIME_SECONDS + 3600;
/** Of an idle time, after which it is begun anew: not every request writes. */
const TOUCH_AFTER = 0.1;

export function createSessionStore(deps: {
  store: SecureStore;
  idleSeconds: number;
  clock: () => Date;
  log: Logger;
}): SessionStore & LogoutTokenMemory {
  const { store, idleSeconds, clock, log } = deps;
  const now = (): number => Math.floor(clock().getTime() / 1000);
  /** What a session belongs to never changes: knowing it saves the second round trip. */
  const namesByKey = createLatest<readonly string[]>(10_000);

  async function touch(key: string, usedAt: number): Promise<void> {
    if (now() - usedAt < idleSeconds * TOUCH_AFTER) return;
    await store.set(usedName(key), String(now()), idleSeconds).catch((err: unknown) => {
      log.warn({ err }, 'sessions: use not noted');
    });
  }

  async function endsOf(reaches: readonly Reach[]): Promise<readonly (End | undefined)[]> {
    const entries = await store.getMany(reaches.map(reachName));
    return entries.map((entry) =>
      entry instanceof UnreadableEntry
        ? { id: '!', at: clock().getTime(), signedOutAt: now() }
        : parseEnd(entry),
    );
  }

  async function read(key: string) {
    for (let names = namesByKey.get(key); ; ) {
      const [text, used, ...ends] = await store.getMany([key, usedName(key), ...(names ?? [])]);
      const record = typeof text === 'string' ? parse(text) : undefined;
      if (typeof text !== 'string' || !record) return undefined;
      if (names) return { session: { key, record, text }, used, ends: ends.map(idOf) };
      names = namesOf(record);
      namesByKey.set(key, names);
    }
  }

  return {
    endsBefore: async (belonging) => (await store.getMany(namesOf(belonging))).map(idOf),
    async open(key, record) {
      const ttlSeconds = Math.max(1, record.endsAt - now());
      await store.set(usedName(key), String(now()), Math.min(idleSeconds, ttlSeconds));
      if (record.sid !== undefined)
        await store.set(sidName(record.sid, isRenewable(record) ? '' : ':brief'), record.userId, ttlSeconds);
      await store.set(key, JSON.stringify(record), ttlSeconds);
      namesByKey.set(key, namesOf(record));
    },
    async find(key) {
      const found = await read(key);
      if (!found) return { kind: 'absent' };
      const { session, used, ends } = found;
      const isIdle = typeof used !== 'string';
      // One that is gone is older than any session that it could have ended.
      const isEnded = ends.some((id, index) => id !== '' && id !== session.record.ends[index]);
      if (isEnded) return { kind: 'ended', session, reason: 'revoked' };
      if (session.record.endsAt <= now()) return { kind: 'ended', session, reason: 'lifetime' };
      if (isIdle) return { kind: 'ended', session, reason: 'idle' };
      await touch(key, Number(used));
      return { kind: 'found', session };
    },
    async replace({ key, text }, record) {
      const next = JSON.stringify(record);
      return (await store.replace(key, text, next)) ? { key, record, text: next } : undefined;
    },
    async remove(key) {
      namesByKey.delete(key);
      const [wasThere] = await Promise.all([store.delete(key), store.delete(usedName(key))]);
      return wasThere;
    },
    async end(reach, how = {}) {
      const at = clock().getTime();
      const { graceMs } = how;
      const [former] = await endsOf([reach]);
      const end: End = {
        id: randomUUID(),
        at,
        ...signedOutSince(former, how),
        cutAt: graceMs && at + graceMs,
      };
      await store.set(reachName(reach), JSON.stringify(end), END_TTL_SECONDS);
    },
    readMarks: (names) => store.getMany(names),
    endsOf,
    holdRefreshToken: (digest) => store.add(refreshTokenName(digest), '1', END_TTL_SECONDS),
    async releaseRefreshToken(digest) {
      await store.delete(refreshTokenName(digest));
    },
    noteSignIn: (sid, userId, ttlSeconds) => store.set(sidName(sid, ':token'), userId, ttlSeconds),
    async findUserOfSid(sid) {
      const found = await store.getMany(SID_KINDS.map((kind) => sidName(sid, kind)));
      // One that cannot be read was sealed with a key that is gone: the sign-in must end all the same.
      return UserId.optional().parse(found.find((userId) => typeof userId === 'string'));
    },
    noteLogoutToken: (jti, ttlSeconds) => store.add(logoutTokenName(jti), '1', Math.ceil(ttlSeconds)),
    async forgetLogoutToken(jti) {
      await store.delete(logoutTokenName(jti));
    },
  };
}

const namesOf = (belonging: Belonging): readonly string[] => reachesOf(belonging).map(reachName);
const usedName = (key: string): string => `${key}:used`;
const logoutTokenName = (jti: string): string => `logout-token:${hash('sha256', jti, 'base64url')}`;
const refreshTokenName = (digest: string): string => `session-refresh-token:${digest}`;
const isRenewable = ({ refreshToken }: SessionRecord): boolean => refreshToken !== undefined;
/** Of a session that is renewed, of one that is not, and of an ID token: each is kept for a time of its own. */
const SID_KINDS = ['', ':brief', ':token'] as const;
const sidName = (sid: string, kind: (typeof SID_KINDS)[number]): string =>
  `session-user:${reachName({ sid })}${kind}`;

/** More sign-outs than these within one second are of no person. */
const MAX_TOKEN_IDS = 20;

/** Returns the latest sign-out of a user: an end of another kind, or a sign-out with an older ID token, must not hide it. */
function signedOutSince(former: End | undefined, { signedOutAt, tokenId }: EndHow) {
  const latest = Math.max(former?.signedOutAt ?? 0, signedOutAt ?? 0);
  if (latest === 0) return {};
  // Of before the latest sign-out by their time alone
  const formerIds = former?.signedOutAt === latest ? (former.tokenIds ?? []) : [];
  const tokenIds = tokenId === undefined ? formerIds : [tokenId, ...formerIds];
  return { signedOutAt: latest, tokenIds: tokenIds.slice(0, MAX_TOKEN_IDS) };
}

/** One that cannot be read is another end than any that was noted. */
const idOf = (entry: string | undefined | UnreadableEntry): string =>
  entry instanceof UnreadableEntry ? '!' : (parseEnd(entry)?.id ?? '');

export const parseEnd = (text: string | undefined): End | undefined =>
  text === undefined ? undefined : End.parse(JSON.parse(text));

/** A record of another version of this program counts as absent. */
function parse(text: string): SessionRecord | undefined {
  const parsed = SessionRecord.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}
