import type { UnreadableEntry } from '@legate/secure-store';
import type { Caller } from './caller.ts';

/** A value of the store as `getMany` gives it */
export type Mark = string | undefined | UnreadableEntry;

/**
 * Refuses an ID token whose user has signed out since it was issued. The marks of sign-outs are in the store, where a
 * request that reads other data gets them in the same round trip. A session is checked by its own record instead.
 */
export interface SignOuts {
  /** Returns the names of the entries to read; none for a session. */
  namesOf(caller: Caller): readonly string[];
  /**
   * Judges what was read under these names.
   * @throws {Error} if it has ended; rethrown to the caller who asked for a credential
   */
  check(caller: Caller, marks: readonly Mark[]): void;
  /**
   * Reads and judges, for a request that reads nothing else. An ID token is taken while the store cannot be reached: it is
   * what the identity provider issued, and an outage is no refusal.
   * @throws {Error} if it has ended; rethrown to the caller who asked for a credential
   */
  readAndCheck(caller: Caller): Promise<void>;
}
