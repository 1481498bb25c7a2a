import { hash } from 'node:crypto';
import type { Caller } from '@legate/delegation';
import { UserId } from '@legate/ids';
import type { SecureStore } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { reachName } from '../domain/reach.ts';

const FoundUserId = UserId.optional();

/** Stored data for back-channel logout. All methods throw if the store cannot be reached. */
export type LogoutTokenMemory = ReturnType<typeof createLogoutTokenMemory>;

export const createLogoutTokenMemory = (store: SecureStore) => ({
  /** Records the user of a sign-in, for a user who calls with ID tokens and has no session here. */
  noteSignIn: (sid: string, userId: UserId, ttlSeconds: number): Promise<void> =>
    store.set(sidName(sid, ':token'), userId, ttlSeconds),
  /** Returns the user of a sign-in, for a logout token without a user. */
  async findUserOfSid(sid: string): Promise<UserId | undefined> {
    const found = await store.getMany(SID_KINDS.map((kind) => sidName(sid, kind)));
    // An unreadable entry was encrypted with a missing key. The sign-in must end nevertheless.
    return FoundUserId.parse(found.find((userId) => typeof userId === 'string'));
  },
  /** Records the user of a `sub` that is not the user's id, for a logout token that contains nothing else. */
  noteSubject: (subject: string, userId: UserId): Promise<void> =>
    store.set(subjectName(subject), userId, SUBJECT_SECONDS),
  async findUserOfSubject(subject: string): Promise<UserId | undefined> {
    const [found] = await store.getMany([subjectName(subject)]);
    return FoundUserId.parse(typeof found === 'string' ? found : undefined);
  },
  /** @returns false if the token was recorded before */
  noteLogoutToken: (jti: string, ttlSeconds: number): Promise<boolean> =>
    store.add(logoutTokenName(jti), '1', Math.ceil(ttlSeconds)),
  async forgetLogoutToken(jti: string): Promise<void> {
    await store.delete(logoutTokenName(jti));
  },
});

/** A session or a token of any sign-in may last until then, so that no later note makes it shorter. */
const SUBJECT_SECONDS = 31 * 86_400;
const subjectName = (subject: string): string => `subject-user:${hash('sha256', subject, 'base64url')}`;

const logoutTokenName = (jti: string): string => `logout-token:${hash('sha256', jti, 'base64url')}`;
/** Suffixes of a renewable session, a session without renewal, and an ID token: their entries have different lifetimes */
const SID_KINDS = ['', ':brief', ':token'] as const;
export const sidName = (sid: string, kind: (typeof SID_KINDS)[number]): string =>
  `session-user:${reachName({ sid })}${kind}`;

/** Maximum seconds for which the hub keeps an access token, which may outlive the ID token that it was obtained with */
const ACCESS_TOKEN_SECONDS = 3600;

/**
 * Saves the user of a sign-in whose ID token was used for a delegation, so that a logout token which names only the
 * sign-in finds the user's tokens. A session saves that itself. Without the store there is no token to find either.
 */
export function createRememberSignIn(deps: {
  memory: Pick<LogoutTokenMemory, 'noteSignIn' | 'noteSubject'>;
  clock: () => Date;
  log: Logger;
}): (caller: Caller) => Promise<void> {
  const { memory } = deps;
  return async ({ userId, subject, signIn }) => {
    if (signIn === undefined) return;
    const left = Math.max(0, Math.ceil(signIn.expiresAt - deps.clock().getTime() / 1000));
    await Promise.all([
      signIn.sid === undefined || memory.noteSignIn(signIn.sid, userId, left + ACCESS_TOKEN_SECONDS),
      subject === undefined || memory.noteSubject(subject, userId),
    ]).catch((err: unknown) => {
      deps.log.warn({ err }, 'sessions: a sign-in could not be recorded');
    });
  };
}
