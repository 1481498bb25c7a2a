import type { UnreadableEntry } from '@legate/secure-store';
import type { Caller } from './caller.ts';

/** A value of the store, as returned by `getMany` */
export type StoreEntry = string | undefined | UnreadableEntry;

/**
 * Refuses an ID token whose user has signed out since it was issued. A sign-out leaves an entry in the store. A request
 * that reads other data reads this entry in the same round trip. A session is checked by its own record instead.
 */
export interface SignOuts {
  /** Returns the names of the entries to read; none for a session. */
  entryNamesOf(caller: Caller): readonly string[];
  /**
   * Checks the entries that were read under these names.
   * @throws {Error} if the sign-in has ended; rethrown to the caller who requested a credential
   */
  check(caller: Caller, entries: readonly StoreEntry[]): void;
  /**
   * Reads and checks the entries, for a request that reads nothing else. An ID token is accepted while the store cannot
   * be reached: it was issued by the identity provider, and an outage is not a refusal.
   * @throws {Error} if the sign-in has ended; rethrown to the caller who requested a credential
   */
  readAndCheck(caller: Caller): Promise<void>;
}
