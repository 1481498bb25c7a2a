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
    const { signIn, userId, organizationId } = caller;
    if (signIn === undefined) return [];
    const known = namesBySignIn.get(signIn);
    if (known) return known;
    const names = signOutReaches({ userId, organizationId, sid: signIn.sid }).map(reachName);
    namesBySignIn.set(signIn, names);
    return names;
  }

  function check({ signIn, subjectTokenId }: Caller, entries: readonly StoreEntry[]): void {
    if (signIn === undefined || entries.every((entry) => entry === undefined)) return;
    const token = { id: subjectTokenId, issuedAt: signIn.issuedAt };
    if (isSignedOut(token, entries.map(endOf))) throw callerSignedOut();
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

/** The ends that a sign-out records, in the order that `isSignedOut` expects */
export const signOutReaches = ({ userId, organizationId, sid }: Belonging): readonly Reach[] => [
  { organizationId, userId },
  { userId },
  ...(sid === undefined ? [] : [{ sid }]),
];

/**
 * Returns true if an ID token has been ended by its user's sign-out here or everywhere, or by the end of its sign-in.
 * An ended sign-in never becomes valid again, whenever its ID token was issued. `auth_time` is not compared: a user who
 * signs out of an application and returns by single sign-on has the old one.
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
 * An unreadable entry was encrypted with a removed key. It still ends a sign-in; for a user it does not show when they
 * signed out, and must not lock them out until it expires.
 */
const endOf = (entry: StoreEntry): End | undefined =>
  entry instanceof UnreadableEntry ? { id: '!', at: 0 } : parseEnd(entry);
