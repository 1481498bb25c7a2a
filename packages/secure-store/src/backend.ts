/**
 * Where entries live. Values are opaque bytes, times to live whole seconds greater than zero; another one is a mistake of
 * the caller, and rejected with a RangeError.
 */
export interface Backend {
  get(key: string): Promise<Buffer | undefined>;
  /**
   * Values in the order of the keys, in one round trip: each as it was at some moment between call and answer. On a single
   * server that is one moment for all; the nodes of a cluster are asked at once, and answer each in its own.
   *
   * So a write that was acknowledged before the call is seen, and that is all that revocation needs: beside an entry its
   * epochs are read, and it counts only when each of them is what it was when the work for the entry *began*, which was
   * after an earlier read. A revocation changes one epoch. Was it acknowledged before this call, the new epoch is read, and
   * the entry does not count, whichever of the two was read first. Falls it within the call, either epoch is a truth about
   * that time; and an entry that is stored later under the old one is void from the start. What is written in the meantime
   * can make an entry miss, and never make a revoked one hit: no two values together mean more than each alone.
   */
  getMany(keys: readonly string[]): Promise<readonly (Buffer | undefined)[]>;
  set(key: string, value: Buffer, ttlSeconds: number): Promise<void>;
  /**
   * Stores only when the key is absent, in one atomic step; what may be done once is decided by it. Where replicas are to
   * confirm it and do not, it rejects, and the key is taken: no caller was told that it was first.
   * @returns false when it was there
   */
  add(key: string, value: Buffer, ttlSeconds: number): Promise<boolean>;
  /**
   * Replaces a value that is still `expected`, keeping its time to live, or removes it; in one atomic step.
   * @returns false when there was another value, or none: then nothing happened
   */
  replace(key: string, expected: Buffer, value: Buffer | undefined): Promise<boolean>;
  /** @returns false when there was nothing */
  delete(key: string): Promise<boolean>;
  /** Rejects when the backend cannot be used. */
  ping(): Promise<void>;
}

export function checkTtl(ttlSeconds: number): void {
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds <= 0) {
    throw new RangeError('a time to live must be whole seconds greater than zero');
  }
}
