import type { Caller, SignOuts, StoreEntry } from '@legate/delegation';
import { UnreadableEntry } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { type Belonging, type Reach, reachName } from '../domain/reach.ts';
import { callerSignedOut } from '../refusals/sign-in-problems.ts';
import { type End, parseEnd } from './session-record.ts';
import type { SessionStore } from './session-store.ts';

export function createSignOuts(deps: { store: Pick<SessionStore, 'readEntries'>; log: Logger }): SignOuts {
  const { store, log } = deps;
  /**
   * Names of ends, cached by the data of a verified ID token: hashing them for each request would cost more than
   * reading them.
   */
  const namesBySignIn = new WeakMap<object, readonly string[]>();

  function entryNamesOf(caller: Caller): readonly string[] {
    const { signIn } = caller;
    if (signIn === undefined) return [];
    const known = namesBySignIn.get(signIn);
    if (known) return known;
    const names = signOutReaches({ ...caller, sid: signIn.sid }).map(reachName);
    namesBySignIn.set(signIn, names);
    return names;
  }

  function check(caller: Caller, entries: readonly StoreEntry[]): void {
    const { signIn, subjectTokenId } = caller;
    if (signIn === undefined || entries.every((entry) => entry === undefined)) return;
    const token = { id: subjectTokenId, issuedAt: signIn.issuedAt };
    if (isSignedOut(token, { ...caller, sid: signIn.sid }, entries.map(endOf))) throw callerSignedOut();
  }

  return {
    entryNamesOf,
    check,
    async readAndCheck(caller) {
      const names = entryNamesOf(caller);
      if (names.length === 0) return;
      const entries = await store.readEntries(names).catch((err: unknown) => {
        log.warn({ err }, 'sessions: sign-outs cannot be read');
        return [];
      });
      check(caller, entries);
    },
  };
}

/** The ends that a sign-out records */
export const signOutReaches = ({ userId, organizationId, subject, sid }: Belonging): readonly Reach[] => [
  { organizationId, userId },
  { userId },
  ...(subject === undefined ? [] : [{ subject }]),
  ...(sid === undefined ? [] : [{ sid }]),
];

/**
 * Returns true if an ID token has been ended by its user's sign-out here or everywhere, or by the end of its sign-in.
 * An ended sign-in never becomes valid again, whenever its ID token was issued. `auth_time` is not compared: a user who
 * signs out of an application and returns by single sign-on has the old one.
 * @param ends of `signOutReaches`
 */
export function isSignedOut(
  token: { readonly id: string; readonly issuedAt: number },
  belonging: Belonging,
  ends: readonly (End | undefined)[],
): boolean {
  return signOutReaches(belonging).some((reach, index) => {
    const end = ends[index];
    if (end === undefined) return false;
    if ('sid' in reach || end.tokenIds?.includes(token.id)) return true;
    return end.signedOutAt !== undefined && token.issuedAt < end.signedOutAt;
  });
}

/**
 * An unreadable entry was encrypted with a removed key. It still ends a sign-in; for a user it does not show when they
 * signed out, and must not lock them out until it expires.
 */
const endOf = (entry: StoreEntry): End | undefined =>
  entry instanceof UnreadableEntry ? { id: '!', at: 0 } : parseEnd(entry);
