/**
 * Where entries live. Values are opaque bytes, times to live whole seconds greater than zero; another one is a mistake of
 * the caller, and rejected with a RangeError.
 */
export interface Backend {
  get(key: string): Promise<Buffer | undefined>;
  /** Values of one moment, in the order of the keys, in one round trip. */
  getMany(keys: readonly string[]): Promise<readonly (Buffer | undefined)[]>;
  set(key: string, value: Buffer, ttlSeconds: number): Promise<void>;
  /** Stores only when the key is absent, in one atomic step. @returns false when it was there */
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
