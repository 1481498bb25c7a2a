import { UnreadableEntry } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { RequestHandler } from 'express';
import { CallRefused } from '../audit/call-refused.ts';
import { callerOf } from '../caller/authenticate.ts';
import type { Caller } from '../caller/caller.ts';
import { signedOut } from '../caller/problems.ts';
import { type Belonging, type Reach, reachName } from './reach.ts';
import { type End, parseEnd, type SessionStore } from './store.ts';

/** A value of the store as `getMany` gives it */
export type Mark = string | undefined | UnreadableEntry;

/**
 * Refuses an ID token whose user has signed out since it was issued. The marks of sign-outs lie in the store, where a
 * request that reads anything there reads them in the same round trip. A session is judged by its own record instead.
 */
export interface SignOuts {
  /** Returns the names of the entries to read; none for a session. */
  namesOf(caller: Caller): readonly string[];
  /**
   * Judges what was read under these names.
   * @throws {CallRefused} 401 `signed_out`
   */
  check(caller: Caller, marks: readonly Mark[]): void;
  /**
   * Reads and judges, for a request that reads nothing else. An ID token is taken while the store cannot be reached: it is
   * what the identity provider issued, and an outage is no refusal.
   * @throws {CallRefused} 401 `signed_out`
   */
  readAndCheck(caller: Caller): Promise<void>;
}

export function createSignOuts(deps: { store: Pick<SessionStore, 'readMarks'>; log: Logger }): SignOuts {
  const { store, log } = deps;
  /** Names by what belongs to a verified ID token: hashing them for each request would cost more than reading them. */
  const namesBySignIn = new WeakMap<object, readonly string[]>();

  function namesOf(caller: Caller): readonly string[] {
    const { signIn, userId, organizationId } = caller;
    if (signIn === undefined) return [];
    const known = namesBySignIn.get(signIn);
    if (known) return known;
    const names = signOutReaches({ userId, organizationId, sid: signIn.sid }).map(reachName);
    namesBySignIn.set(signIn, names);
    return names;
  }

  function check({ signIn, subjectTokenId }: Caller, marks: readonly Mark[]): void {
    if (signIn === undefined || marks.every((mark) => mark === undefined)) return;
    const token = { id: subjectTokenId, issuedAt: signIn.issuedAt };
    if (isSignedOut(token, marks.map(endOf)))
      throw new CallRefused({ leg: 'caller', rule: 'signed_out' }, 401, 'signed_out', 'Unauthorized', {
        detail: 'The user has signed out since this ID token was issued. Sign in again.',
        headers: signedOut().headers,
      });
  }

  return {
    namesOf,
    check,
    async readAndCheck(caller) {
      const names = namesOf(caller);
      if (names.length === 0) return;
      const marks = await store.readMarks(names).catch((err: unknown) => {
        log.warn({ err }, 'sessions: sign-outs cannot be read');
        return [];
      });
      check(caller, marks);
    },
  };
}

/** Behind `authenticate`, in front of routes that call no tool. */
export function refuseSignedOut(signOuts: Pick<SignOuts, 'readAndCheck'>): RequestHandler {
  return async (_req, res, next) => {
    await signOuts.readAndCheck(callerOf(res));
    next();
  };
}

/** The ends that a sign-out leaves, in the order that `isSignedOut` expects */
export const signOutReaches = ({ userId, organizationId, sid }: Belonging): readonly Reach[] => [
  { organizationId, userId },
  { userId },
  ...(sid === undefined ? [] : [{ sid }]),
];

/**
 * Returns whether an ID token is over by one of the ends of its user here, of its user, and of its sign-in. A sign-in that
 * has ended never comes back, whenever its ID token was issued. `auth_time` is not compared: a user who signs out of an
 * application and comes back by single sign-on has the old one.
 */
export function isSignedOut(
  token: { readonly id: string; readonly issuedAt: number },
  [here, everywhere, signIn]: readonly (End | undefined)[],
): boolean {
  return (
    signIn !== undefined ||
    [here, everywhere].some(
      (end) =>
        end !== undefined &&
        (end.tokenIds?.includes(token.id) ||
          (end.signedOutAt !== undefined && token.issuedAt < end.signedOutAt)),
    )
  );
}

/**
 * A mark that cannot be read was sealed with a key that was taken away. It still ends a sign-in; of a user it does not say
 * when they signed out, and must not keep them out for as long as it lies there.
 */
const endOf = (mark: Mark): End | undefined =>
  mark instanceof UnreadableEntry ? { id: '!', at: 0 } : parseEnd(mark);
