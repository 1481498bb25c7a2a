import { oneTimeKey } from '@legate/jwt';
import type { Backend } from './backend.ts';

/**
 * Returns true for the first use of an identifier within `ttlSeconds`, and false for every later use; of two uses at
 * the same time exactly one returns true.
 */
export type UseOnce = (parts: readonly string[], ttlSeconds: number) => Promise<boolean>;

const USED = Buffer.from('1');

/**
 * Remembers keys that were used: the `oneTimeStore` of `@legate/tool-server`, on any backend.
 * @param prefix of the key in the backend, for example `jti:`
 */
export function createOneTimeStore(backend: Backend, prefix: string) {
  return {
    /** @param key trusted, such as `oneTimeKey` makes it */
    useOnce: (key: string, ttlSeconds: number): Promise<boolean> =>
      backend.add(`${prefix}${key}`, USED, Math.max(1, Math.ceil(ttlSeconds))),
  };
}

/**
 * Replay protection for identifiers made of untrusted parts, for example issuer and jti.
 * @param prefix of the key, for example `jti:`
 */
export function createUseOnce(backend: Backend, prefix: string): UseOnce {
  const { useOnce } = createOneTimeStore(backend, prefix);
  return (parts, ttlSeconds) => useOnce(oneTimeKey(parts), ttlSeconds);
}
