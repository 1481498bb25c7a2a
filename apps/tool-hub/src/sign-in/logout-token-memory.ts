import { hash } from 'node:crypto';
import { UserId } from '@legate/ids';
import type { SecureStore } from '@legate/secure-store';
import { reachName } from '../domain/reach.ts';

/** Data for back-channel logout; throws when the store cannot be reached. */
export type LogoutTokenMemory = ReturnType<typeof createLogoutTokenMemory>;

export const createLogoutTokenMemory = (store: SecureStore) => ({
  /** Notes whose sign-in it is, of a user who calls with ID tokens and has no session here. */
  noteSignIn: (sid: string, userId: UserId, ttlSeconds: number): Promise<void> =>
    store.set(sidName(sid, ':token'), userId, ttlSeconds),
  /** The user of a sign-in, for a logout token without a user */
  async findUserOfSid(sid: string): Promise<UserId | undefined> {
    const found = await store.getMany(SID_KINDS.map((kind) => sidName(sid, kind)));
    // An unreadable entry was encrypted with a missing key: the sign-in must end all the same.
    return UserId.optional().parse(found.find((userId) => typeof userId === 'string'));
  },
  /** @returns false when it was noted before */
  noteLogoutToken: (jti: string, ttlSeconds: number): Promise<boolean> =>
    store.add(logoutTokenName(jti), '1', Math.ceil(ttlSeconds)),
  async forgetLogoutToken(jti: string): Promise<void> {
    await store.delete(logoutTokenName(jti));
  },
});

const logoutTokenName = (jti: string): string => `logout-token:${hash('sha256', jti, 'base64url')}`;
/** For a renewable session, a session without renewal, and an ID token, whose entries have different lifetimes. */
const SID_KINDS = ['', ':brief', ':token'] as const;
export const sidName = (sid: string, kind: (typeof SID_KINDS)[number]): string =>
  `session-user:${reachName({ sid })}${kind}`;
