import { hash } from 'node:crypto';
import type { Backend } from './backend.ts';

/**
 * True for the first use of an identifier within `ttlSeconds`, false for every later one; of two uses at the same time
 * exactly one gets true.
 */
export type UseOnce = (parts: readonly string[], ttlSeconds: number) => Promise<boolean>;

const USED = Buffer.from('1');

/**
 * Replay protection. The parts (for example issuer and jti) are untrusted, so they are hashed: their length, separators
 * and characters never reach the key.
 * @param prefix of the key, for example `jti:`
 */
export function createUseOnce(backend: Backend, prefix: string): UseOnce {
  return (parts, ttlSeconds) => {
    const id = hash('sha256', JSON.stringify(parts), 'base64url');
    return backend.add(`${prefix}${id}`, USED, Math.max(1, Math.ceil(ttlSeconds)));
  };
}
