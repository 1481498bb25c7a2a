/**
 * Storage for entries. Values are opaque bytes; times to live are positive whole seconds, anything else is a
 * programming error and rejected with a RangeError.
 */
export interface Backend {
  get(key: string): Promise<Buffer | undefined>;
  /**
   * Returns values in the order of the keys, in one round trip: each as it was at some moment between call and
   * response. On a single server that is one moment for all; the nodes of a cluster are asked in parallel, and each
   * responds as of its own moment.
   *
   * A write acknowledged before the call is therefore seen, which is all that revocation needs. An entry is read
   * together with its epochs, and is valid only if each epoch equals the one read when the work for the entry *began*.
   * A revocation changes one epoch. If it was acknowledged before this call, the new epoch is read and the entry is
   * invalid, in whatever order the two were read. If it happens during the call, either epoch is correct for that time;
   * and an entry stored later under the old epoch is invalid from the start. A concurrent write can cause a miss, but
   * never a hit for a revoked entry, because no combination of two values means more than each alone.
   */
  getMany(keys: readonly string[]): Promise<readonly (Buffer | undefined)[]>;
  set(key: string, value: Buffer, ttlSeconds: number): Promise<void>;
  /**
   * Stores only if the key is absent, in one atomic step; one-time use relies on it. If replicas must confirm the write
   * and do not, it rejects, but the key stays stored: no caller got true.
   * @returns false if the key existed
   */
  add(key: string, value: Buffer, ttlSeconds: number): Promise<boolean>;
  /**
   * Replaces a value that is still `expected`, or removes it; in one atomic step.
   * @param ttlSeconds a new time to live; undefined: the entry keeps its own
   * @returns false if there was another value or none; then nothing was changed
   */
  replace(key: string, expected: Buffer, value: Buffer | undefined, ttlSeconds?: number): Promise<boolean>;
  /** @returns false if there was no value */
  delete(key: string): Promise<boolean>;
  /** Rejects when the backend cannot be used. */
  ping(): Promise<void>;
}

export function checkTtl(ttlSeconds: number): void {
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds <= 0) {
    throw new RangeError('a time to live must be whole seconds greater than zero');
  }
}
