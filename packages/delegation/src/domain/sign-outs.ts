import type { UnreadableEntry } from '@legate/secure-store';
import type { Caller } from './caller.ts';

/** A value of the store as `getMany` gives it */
export type StoreEntry = string | undefined | UnreadableEntry;

/**
 * Refuses an ID token whose user has signed out since it was issued. A sign-out leaves an entry in the store, which a
 * request that reads other data gets in the same round trip. A session is checked by its own record instead.
 */
export interface SignOuts {
  /** Returns the names of the entries to read; none for a session. */
  entryNamesOf(caller: Caller): readonly string[];
  /**
   * Judges the entries that were read under these names.
   * @throws {Error} if it has ended; rethrown to the caller who asked for a credential
   */
  check(caller: Caller, entries: readonly StoreEntry[]): void;
  /**
   * Reads and judges, for a request that reads nothing else. An ID token is taken while the store cannot be reached: it is
   * what the identity provider issued, and an outage is no refusal.
   * @throws {Error} if it has ended; rethrown to the caller who asked for a credential
   */
  readAndCheck(caller: Caller): Promise<void>;
}
